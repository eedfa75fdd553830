export { createGateway, type GatewayOptions } from "./gateway.js";
export { defaultPool, type FleetAddress, startInProcessGateway } from "./in-process.js";
export { serveFleetQueues } from "./queues.js";
export { Sender } from "./sender.js";
export { turnIdOf } from "./turn-id.js";
