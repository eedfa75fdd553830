import type { Prompt } from "../types.js";
import type { LoweredTools } from "./lowered-tools.js";
import { type ReasoningField, toMessages } from "./messages.js";

/** The body of a request as JSON; settings the user has not made are left to the server. */
export function toChatBody(
  prompt: Prompt,
  tools: LoweredTools,
  reasoningField: ReasoningField,
): Buffer {
  const { model, reasoning, verbosity, outputSchema } = prompt;
  const body = {
    model,
    messages: toMessages(prompt, reasoningField),
    stream: true,
    stream_options: { include_usage: true },
    // An empty list is an error to some servers.
    ...(tools.specs.length > 0 ? { tools: tools.specs, tool_choice: "auto" } : undefined),
    ...(reasoning?.effort === undefined ? undefined : { reasoning_effort: reasoning.effort }),
    ...(verbosity === undefined ? undefined : { verbosity }),
    ...(outputSchema ? { response_format: toResponseFormat(outputSchema) } : undefined),
  };
  return Buffer.from(JSON.stringify(body));
}

function toResponseFormat(schema: unknown): object {
  const json_schema = { name: "codex_output_schema", strict: true, schema };
  return { type: "json_schema", json_schema };
}
