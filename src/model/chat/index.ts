export { ChatClient } from "./chat-client.js";
