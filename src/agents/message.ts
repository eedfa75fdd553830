import type { InterAgentMessageItem } from "../protocol/types.js";
import type { AgentMail } from "./agent.js";

/**
 * Returns the item with which the model reads a message of another agent.
 *
 * Tasks and messages were written by a model, which may have encrypted them; an answer is plain text.
 */
export function toMessageItem({ author, recipient, kind, text }: AgentMail): InterAgentMessageItem {
  const head = `Message Type: ${kind}\nTask name: ${recipient}\nSender: ${author}\nPayload:\n`;
  const content: InterAgentMessageItem["content"] =
    kind === "FINAL_ANSWER"
      ? [{ type: "input_text", text: `${head}${text}` }]
      : [
          { type: "input_text", text: head },
          { type: "encrypted_content", encrypted_content: text },
        ];
  return { type: "agent_message", author, recipient, content };
}
