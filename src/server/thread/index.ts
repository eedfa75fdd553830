export { Threads } from "./registry.js";
export type { Settings } from "./settings.js";
export { Thread, type ThreadListener, type ThreadOrigin } from "./thread.js";
export { Unloader } from "./unload.js";
