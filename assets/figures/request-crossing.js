/** @import { Canvas } from "./lib.js" */

const bytes = "GET / HTTP…";

export default {
  title: "A request on its way to your callback",
  description:
    "The browser writes bytes. They cross the network to the server's machine, where the kernel " +
    "keeps them in the socket's receive buffer. It tells the event loop of Node.js that the " +
    "socket is readable. Node.js reads the bytes into a chunk and calls your callback for data " +
    "with it.",

  /** @param {Canvas} canvas */
  wide(canvas) {
    canvas.labelledBox(1, 152, 128, 48, "browser", { fill: "blue-fill", stroke: "blue" });

    canvas.box(196, 1, 491, 292, { fill: "none", dashed: true, radius: 8 });
    canvas.text(214, 30, "the server’s machine", { color: "soft" });

    canvas.box(214, 48, 208, 228);
    canvas.text(230, 80, "kernel", { weight: 600 });
    canvas.labelledBox(230, 154, 176, 44, bytes, { fill: "paper", text: { mono: true } });
    canvas.text(230, 226, "receive buffer", { color: "soft" });
    canvas.text(230, 250, "of the socket", { color: "soft" });

    canvas.box(484, 48, 188, 228, { fill: "green-fill", stroke: "green" });
    canvas.text(500, 80, "Node.js", { weight: 600 });
    canvas.labelledBox(500, 94, 156, 40, "event loop", { fill: "paper", stroke: "green" });
    canvas.labelledBox(500, 154, 156, 44, bytes, { fill: "paper", text: { mono: true } });
    canvas.labelledBox(500, 222, 156, 40, "your callback", {
      fill: "accent-fill",
      stroke: "accent",
    });

    canvas.arrow([130, 176, 228, 176]);
    canvas.arrow([370, 152, 410, 114, 498, 114], {
      dashed: true,
      curved: true,
    });
    canvas.arrow([408, 176, 498, 176]);
    canvas.arrow([540, 199, 540, 220]);

    canvas.badge(162, 176, 1);
    canvas.badge(230, 154, 2);
    canvas.badge(453, 114, 3);
    canvas.badge(453, 176, 4);
    canvas.badge(580, 210, 5);

    canvas.height = canvas.steps(328, [
      "The browser writes the bytes of a request.",
      "The kernel keeps them in the socket’s receive buffer.",
      "It tells the event loop that the socket has become readable.",
      "Node.js reads what is there, into a chunk.",
      "Your callback for “data” is called with the chunk.",
    ]);
  },

  /** @param {Canvas} canvas */
  narrow(canvas) {
    canvas.labelledBox(144, 1, 152, 44, "browser", { fill: "blue-fill", stroke: "blue" });

    canvas.box(1, 88, 318, 424, { fill: "none", dashed: true, radius: 8 });
    canvas.text(14, 116, "the server’s machine", { color: "soft" });

    canvas.box(14, 132, 292, 128);
    canvas.text(28, 162, "kernel", { weight: 600 });
    canvas.labelledBox(70, 176, 180, 44, bytes, { fill: "paper", text: { mono: true } });
    canvas.text(160, 246, "receive buffer", { color: "soft", anchor: "middle" });

    canvas.box(14, 318, 292, 178, { fill: "green-fill", stroke: "green" });
    canvas.text(28, 482, "Node.js", { weight: 600 });
    canvas.labelledBox(26, 336, 112, 44, "event loop", { fill: "paper", stroke: "green" });
    canvas.labelledBox(150, 336, 144, 44, bytes, { fill: "paper", text: { mono: true } });
    canvas.labelledBox(150, 428, 144, 44, "your callback", {
      fill: "accent-fill",
      stroke: "accent",
    });

    canvas.arrow([220, 46, 220, 174]);
    canvas.arrow([82, 222, 82, 334], { dashed: true });
    canvas.arrow([222, 256, 222, 334]);
    canvas.arrow([222, 381, 222, 426]);

    canvas.badge(220, 68, 1);
    canvas.badge(250, 176, 2);
    canvas.badge(82, 290, 3);
    canvas.badge(222, 290, 4);
    canvas.badge(222, 402, 5);

    canvas.height = canvas.steps(548, [
      ["The browser writes the bytes", "of a request."],
      ["The kernel keeps them in the", "socket’s receive buffer."],
      ["It tells the event loop that the", "socket has become readable."],
      ["Node.js reads what is there,", "into a chunk."],
      ["Your callback for “data” is called", "with the chunk."],
    ]);
  },
};
