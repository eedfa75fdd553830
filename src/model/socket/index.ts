export { ResponseSockets } from "./response-sockets.js";
