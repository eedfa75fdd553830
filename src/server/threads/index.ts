export { Thread, type ThreadListener } from "./thread.js";
export { Threads } from "./threads.js";
