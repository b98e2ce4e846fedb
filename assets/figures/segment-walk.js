import { walkFigure } from "./trees/segments.js";

export default walkFigure("/users/7/posts/12", {
  title: "The search for /users/7/posts/12 in a tree of segments",
  description:
    "Below the root is users. Below users are the word me and the parameter :id. Below :id is " +
    "posts, and below posts the parameter :post. The search takes users, then :id for 7, then " +
    "posts, then :post for 12.",
});
