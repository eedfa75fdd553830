export { createGateway, type GatewayOptions } from "./gateway.js";
export { turnIdOf } from "./turn-id.js";
