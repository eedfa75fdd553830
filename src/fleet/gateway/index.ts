export { createGateway, type GatewayOptions } from "./gateway.js";
export { defaultPool, type FleetAddress, startInProcessGateway } from "./in-process.js";
export { turnIdOf } from "./turn-id.js";
