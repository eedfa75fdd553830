export type { Settings } from "./settings.js";
export { Thread, type ThreadListener, type ThreadOrigin } from "./thread.js";
export { Threads } from "./threads.js";
export { Unloader } from "./unload.js";
