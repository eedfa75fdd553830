import { errorText } from "../lib/errors.js";
import type { DynamicToolCallOutputContentItem } from "../protocol/rpc/v2/item-parts.js";
import type {
  DynamicToolCallParams,
  DynamicToolCallResponse,
} from "../protocol/rpc/v2/requests.js";
import type { DynamicToolSpec } from "../protocol/rpc/v2/thread-start.js";

/** A tool that runs in the client's own process; those made with `defineTool` are such tools. */
export interface OwnTool {
  /** The description for the model: a function with a name and a JSON Schema of its parameters. */
  spec: { type: string; name?: string; description?: string; parameters?: unknown };
  /** Runs the tool; `text` is the JSON of the arguments, as the model wrote it. */
  run(input: { text: string }, context: OwnToolContext): Promise<OwnToolOutput>;
}

/** Context of a tool call. */
export interface OwnToolContext {
  /** The id of the call. */
  callId: string;
  /** The id of the turn. */
  turnId: string;
  /** Aborts when the result is no longer needed. */
  signal: AbortSignal;
  /** Reports text while the tool runs: an `item.delta` of `runStreamed` with `deltas`. The model does not see it. */
  progress?(text: string): void;
}

/** Result of a tool for the model. */
export interface OwnToolOutput {
  /** The result, or the reason of the failure. */
  text: string;
  /** True if the tool succeeded. */
  success: boolean;
  /** Texts and images for the model, in place of `text`. */
  parts?: readonly OwnToolPart[];
  /** Result as a value; sent as JSON if `text` is empty. */
  value?: unknown;
}

/** A part of a tool's result; an image is a URL, also one with `data:`. */
export type OwnToolPart =
  | { type: "input_text"; text: string }
  | { type: "input_image"; image_url: string };

/** Converts tools to `dynamicTools` of `thread/start`. */
export function toDynamicTools(tools: readonly OwnTool[]): DynamicToolSpec[] {
  return tools.map(({ spec }) => {
    const { name = "", description = "", parameters } = spec;
    const inputSchema = parameters ?? { type: "object", properties: {} };
    return { type: "function", name, description, inputSchema };
  });
}

/** Runs a tool of the client. Errors become results, so that the model can react to them. */
export async function callOwnTool(
  tools: readonly OwnTool[],
  { tool: name, callId, turnId, arguments: given }: DynamicToolCallParams,
  context: Pick<OwnToolContext, "signal" | "progress">,
): Promise<DynamicToolCallResponse> {
  const tool = tools.find(({ spec }) => spec.name === name);
  if (tool === undefined) return answer(`There is no tool ${name}`, false);
  const text = typeof given === "string" ? given : JSON.stringify(given ?? {});
  try {
    const output = await tool.run({ text }, { callId, turnId, ...context });
    return { contentItems: toContent(output), success: output.success };
  } catch (error) {
    return answer(errorText(error), false);
  }
}

function toContent({ text, parts, value }: OwnToolOutput): DynamicToolCallOutputContentItem[] {
  if (parts !== undefined) return parts.map(toContentItem);
  const isValue = text === "" && value !== undefined;
  return [{ type: "inputText", text: isValue ? JSON.stringify(value) : text }];
}

function toContentItem(part: OwnToolPart): DynamicToolCallOutputContentItem {
  return part.type === "input_text"
    ? { type: "inputText", text: part.text }
    : { type: "inputImage", imageUrl: part.image_url };
}

function answer(text: string, success: boolean): DynamicToolCallResponse {
  const contentItems: DynamicToolCallOutputContentItem[] = [{ type: "inputText", text }];
  return { contentItems, success };
}
