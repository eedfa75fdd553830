export type { CodeMode } from "./code-mode.js";
