export { type MemoryBroker, MemoryStore } from "./store.js";
