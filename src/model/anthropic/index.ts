export { AnthropicClient } from "./anthropic-client.js";
