export { rolloutPath } from "./path.js";
export { RolloutRecorder } from "./recorder.js";
