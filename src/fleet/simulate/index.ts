export { type Needs, needsOf } from "./needs.js";
export { type Simulated, type Simulation, simulate } from "./simulate.js";
