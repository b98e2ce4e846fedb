import { walkFigure } from "./trees/segments.js";

export default walkFigure("/users/me/posts/12", {
  title: "The search for /users/me/posts/12 stops at the word me",
  description:
    "The tree has users, below it the word me and the parameter :id, below :id posts, and below " +
    "posts :post. The search takes users and me. Below me there is no posts, and it ends.",
});
