export { ChatClient, type ChatClientOptions } from "./chat-client.js";
