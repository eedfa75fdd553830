import { isRecord, type JsonRecord, parseRecord } from "../../protocol/read/check.js";
import type {
  CustomToolSpec,
  FunctionToolSpec,
  ResponseItem,
  ToolSpec,
} from "../../protocol/types.js";

/** A tool in the format of the Chat Completions API. */
export interface ChatTool {
  type: "function";
  function: Omit<FunctionToolSpec, "type">;
}

/** A call as sent by the model. */
export interface ChatCall {
  id: string;
  name: string;
  /** JSON text, not validated. */
  arguments: string;
}

/**
 * Converts the tools of a request to functions, the only kind in this API.
 *
 * Tools that take plain text get it in one argument, the built-in shell becomes a function, and
 * calls of these are converted back. Tools without such a format are omitted.
 */
export class LoweredTools {
  specs: ChatTool[] = [];
  #kinds = new Map<string, ToolSpec["type"]>();
  /** Names and namespaces of tools in groups, by the whole names that servers get. */
  #grouped = new Map<string, { name: string; namespace: string }>();

  constructor(tools: readonly ToolSpec[]) {
    for (const tool of tools) {
      if (tool.type === "namespace") {
        for (const inner of tool.tools) this.#addGrouped(inner, tool.name);
        continue;
      }
      const spec = toFunction(tool);
      if (spec !== undefined) this.#add(spec, tool.type);
    }
  }

  #addGrouped(tool: FunctionToolSpec, namespace: string): void {
    const name = wholeName(tool.name, namespace);
    if (this.#kinds.has(name)) return;
    this.#grouped.set(name, { name: tool.name, namespace });
    this.#add({ ...tool, name }, "function");
  }

  #add({ type: _, ...spec }: FunctionToolSpec, kind: ToolSpec["type"]): void {
    if (this.#kinds.has(spec.name)) return;
    this.#kinds.set(spec.name, kind);
    this.specs.push({ type: "function", function: spec });
  }

  /** Converts a call to the item it represents. */
  raise(call: ChatCall): ResponseItem {
    const { id, name, arguments: text } = call;
    const kind = this.#kinds.get(name);
    if (kind === "custom") {
      // Some models send the text itself instead of JSON.
      const input = parseRecord(text)?.input;
      return {
        type: "custom_tool_call",
        call_id: id,
        name,
        input: typeof input === "string" ? input : text,
      };
    }
    const action = kind === "local_shell" ? toShellAction(parseRecord(text)) : undefined;
    if (action === undefined) {
      const grouped = this.#grouped.get(name) ?? { name };
      return { type: "function_call", ...grouped, arguments: text, call_id: id };
    }
    return { type: "local_shell_call", call_id: id, status: "completed", action };
  }
}

/** Returns the name of a tool in a group for servers without groups. */
export function wholeName(name: string, namespace: string | null | undefined): string {
  return namespace ? `${namespace}__${name}` : name;
}

/** Returns the arguments of a call of a lowered tool in the conversation. */
export function loweredArguments(
  item: Extract<ResponseItem, { type: "custom_tool_call" | "local_shell_call" }>,
): { name: string; arguments: string } {
  if (item.type === "custom_tool_call") {
    return { name: item.name, arguments: JSON.stringify({ input: item.input }) };
  }
  const { command, working_directory, timeout_ms } = item.action;
  const args = {
    command,
    ...(working_directory ? { workdir: working_directory } : undefined),
    ...(timeout_ms ? { timeout_ms } : undefined),
  };
  return { name: shellFunction.name, arguments: JSON.stringify(args) };
}

function toFunction(tool: ToolSpec): FunctionToolSpec | undefined {
  switch (tool.type) {
    case "function":
      return tool;
    case "custom":
      return customFunction(tool);
    case "local_shell":
      return shellFunction;
    default:
      return undefined;
  }
}

function customFunction({ name, description, format }: CustomToolSpec): FunctionToolSpec {
  return {
    type: "function",
    name,
    description:
      `${description}\n\nHere the tool is a function: give the text as its argument \`input\`. ` +
      `The text follows this ${format.syntax} grammar:\n${format.definition}`,
    strict: false,
    parameters: {
      type: "object",
      properties: { input: { type: "string", description: "The whole text." } },
      required: ["input"],
      additionalProperties: false,
    },
  };
}

const shellFunction: FunctionToolSpec = {
  type: "function",
  name: "shell",
  description: "Runs a command and returns its output.",
  strict: false,
  parameters: {
    type: "object",
    properties: {
      command: {
        type: "array",
        items: { type: "string" },
        description: 'The program and its arguments; use ["bash", "-lc", "…"] for shell syntax.',
      },
      workdir: { type: "string", description: "Where it runs." },
      timeout_ms: { type: "number", description: "How long it may run, in milliseconds." },
    },
    required: ["command"],
    additionalProperties: false,
  },
};

type ShellAction = Extract<ResponseItem, { type: "local_shell_call" }>["action"];

function toShellAction(args: JsonRecord | undefined): ShellAction | undefined {
  const command = args?.command;
  if (!isRecord(args) || !Array.isArray(command) || command.length === 0) return undefined;
  if (!command.every((word) => typeof word === "string")) return undefined;
  const { workdir, timeout_ms } = args;
  return {
    type: "exec",
    command,
    timeout_ms: typeof timeout_ms === "number" ? Math.trunc(timeout_ms) : null,
    working_directory: typeof workdir === "string" ? workdir : null,
    env: null,
    user: null,
  };
}
