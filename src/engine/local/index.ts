// The door for commands of the program; `../index.ts` is the one that the package publishes.
export { instructionsFor } from "../instructions.js";
export { createLocalSandbox } from "./machine.js";
export { createMcpPool } from "./mcp.js";
export { createLocalParts } from "./parts.js";
