import { isRecord } from "../protocol/read/record.js";
import type { McpTool } from "../protocol/types.js";

/** The tools of a page of a list, and what had to be left out. */
export interface ReadTools {
  tools: McpTool[];
  problems: string[];
}

/** More is no list of tools but an attack on the model's attention. */
const maxTools = 1_000;
const maxToolBytes = 128 * 1024;
const maxListBytes = 4 * 1024 * 1024;

/** Whether a list has become so long that no more of it is asked for. */
export function isListFull(tools: readonly unknown[]): boolean {
  return tools.length >= maxTools;
}

/**
 * Reads the tools that a server says it has.
 *
 * One that is not as it should be costs itself only. Of what a tool says, what the protocol knows is
 * kept.
 */
export function readTools(entries: readonly unknown[]): ReadTools {
  const tools: McpTool[] = [];
  const problems: string[] = [];
  let bytes = 0;
  for (const [index, entry] of entries.entries()) {
    const { tool, problem } = readTool(entry);
    const size = tool === undefined ? 0 : JSON.stringify(tool).length;
    if (tool === undefined) problems.push(`tool ${index} was left out: ${problem}`);
    else if (size > maxToolBytes) problems.push(`tool ${index} was left out: it is too large`);
    else if (tools.length >= maxTools || bytes + size > maxListBytes) {
      problems.push(`${entries.length - index} tools were left out: there are too many`);
      break;
    } else {
      bytes += size;
      tools.push(tool);
    }
  }
  return { tools, problems };
}

function readTool(
  entry: unknown,
): { tool: McpTool; problem?: undefined } | { tool?: undefined; problem: string } {
  if (!isRecord(entry)) return { problem: "it is not an object" };
  const { name, title, description, inputSchema, outputSchema, annotations } = entry;
  if (typeof name !== "string" || name === "") return { problem: "it has no name" };
  if (!isRecord(inputSchema)) return { problem: "its inputSchema is not an object" };
  return {
    tool: {
      name,
      ...(typeof title === "string" ? { title } : {}),
      ...(typeof description === "string" ? { description } : {}),
      inputSchema,
      ...(isRecord(outputSchema) ? { outputSchema } : {}),
      ...(isRecord(annotations) ? { annotations } : {}),
    },
  };
}
