// The start of main.js for the single-file executable: Bun finds these names when it compiles, and
// embeds each file with its bytecode.
"use strict";
const embedded = {
  start: () => require("./start.js"),
  turn: () => require("./turn.js"),
  exec: () => require("./exec.js"),
  script: () => require("./script.js"),
  cells: () => require("./cells.js"),
  later: () => require("./later.js"),
  stored: () => require("./stored.js"),
  frame: () => require("./frame.js"),
  screen: () => require("./screen.js"),
  rest: () => require("./rest.js"),
};

// biome-ignore lint/correctness/noUnusedVariables: start-loader.cjs follows in the same file
function openPart(name) {
  return embedded[name]();
}

/** Only modules of the runtime: a package beside the executable must not become part of it. */
// biome-ignore lint/correctness/noUnusedVariables: start-loader.cjs follows in the same file
function external(name) {
  const found = process.getBuiltinModule(name.replace(/^node:/, ""));
  if (found !== undefined) return found;
  if (name === "bun:ffi") return require("bun:ffi");
  throw Object.assign(new Error(`The executable is built without ${name}`), {
    code: "MODULE_NOT_FOUND",
  });
}
