export { type CodeMode, withCodeMode } from "./code-mode.js";
