export { GeminiClient } from "./gemini-client.js";
