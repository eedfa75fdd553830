export type { Config } from "./config.js";
export { codexHome, type Environment } from "./home.js";
export { type ConfigSources, loadConfig } from "./load.js";
