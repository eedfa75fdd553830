import type { Era } from "../compat/index.js";
import { type OutputLimit, truncateItems, truncateText } from "../exec/index.js";
import {
  type McpProgress,
  type McpServers,
  type McpServerTool,
  toModelOutput,
  toNamespaceSpec,
  toToolSpec,
} from "../mcp/index.js";
import { isRecord } from "../protocol/read/check.js";
import type {
  CallToolResult,
  FunctionToolSpec,
  McpInvocation,
  NamespaceToolSpec,
  ToolOutputContent,
} from "../protocol/types.js";
import { toDuration } from "../protocol/write.js";
import { readArguments } from "./read-arguments.js";
import { changesNothing, failed, type Tool, type ToolContext, type ToolOutput } from "./tool.js";
import type { ToolBox } from "./tool-box.js";

/** Options for the tools of MCP servers. */
export interface McpToolsOptions {
  servers: McpServers;
  era: Era;
  /** Maximum size of a result for the model. */
  limit: OutputLimit;
}

/** The tools of a session's servers, as far as they have started. */
export interface McpTools {
  /** Specs for the model; the same array as long as the tools of the servers are the same. */
  offered(): readonly (FunctionToolSpec | NamespaceToolSpec)[];
  /** Finds the tool for a call; `namespace` is set if the model sent one. */
  find(name: string, namespace?: string | null): Tool | undefined;
}

/** Creates the tools of a session's MCP servers. */
export function createMcpTools(options: McpToolsOptions): McpTools {
  let known: readonly McpServerTool[] | undefined;
  let byName = new Map<string, NamedTool>();
  let specs: readonly (FunctionToolSpec | NamespaceToolSpec)[] = [];
  const update = () => {
    const tools = options.servers.tools();
    if (tools === known) return;
    known = tools;
    byName = new Map(tools.map((tool) => [tool.name.qualified, toTool(tool, options)]));
    specs = toSpecs([...byName.values()], options.servers);
  };
  return {
    offered() {
      update();
      return specs;
    },
    find(name, namespace) {
      update();
      return byName.get(namespace ? `${namespace}__${name}` : name)?.tool;
    },
  };
}

interface NamedTool {
  from: McpServerTool;
  spec: FunctionToolSpec;
  tool: Tool;
}

function toTool(from: McpServerTool, options: McpToolsOptions): NamedTool {
  const spec = toToolSpec(from.name.name, from.tool);
  const hookName = `mcp__${from.server}__${from.tool.name}`;
  const run: Tool["run"] = ({ text }, context) => runCall(from, text, context, options);
  return { from, spec, tool: { spec, hookName, run } };
}

/** Returns the specs; tools with a namespace are grouped by server. */
function toSpecs(tools: readonly NamedTool[], servers: McpServers) {
  const specs: (FunctionToolSpec | NamespaceToolSpec)[] = [];
  const namespaces = new Map<string, NamespaceToolSpec>();
  for (const { from, spec } of tools) {
    const { namespace } = from.name;
    const open = namespace === undefined ? undefined : namespaces.get(namespace);
    if (namespace === undefined) specs.push(spec);
    else if (open !== undefined) open.tools.push(spec);
    else {
      const description = servers.instructions(from.server) ?? `Tools of ${from.server}.`;
      const created = toNamespaceSpec({ name: namespace, description }, [spec]);
      namespaces.set(namespace, created);
      specs.push(created);
    }
  }
  return specs;
}

async function runCall(
  { server, tool: { name: tool, annotations } }: McpServerTool,
  text: string,
  { callId, emit, settled, signal, isNested, turn }: ToolContext,
  { servers, era, limit }: McpToolsOptions,
): Promise<ToolOutput> {
  const read = parseArguments(text);
  if (read.problem !== undefined) return failed(`err: ${read.problem}`);
  if (changesThings(annotations) && turn.isConfined) return failed(`err: ${changesNothing}`);
  const invocation: McpInvocation = { server, tool, arguments: read.given.arguments ?? null };
  const hint = era.since["0.166"] ? readOnlyHint(annotations) : {};
  emit({ type: "mcp_tool_call_begin", call_id: callId, invocation, ...hint });
  if (settled !== undefined) await settled();
  const began = performance.now();
  const result = await servers.call(invocation, {
    signal,
    onProgress: (progress) => {
      emit({ type: "mcp_tool_call_progress", call_id: callId, message: progressText(progress) });
    },
  });
  const durationMs = performance.now() - began;
  emit({
    type: "mcp_tool_call_end",
    call_id: callId,
    invocation,
    duration: toDuration(durationMs),
    result,
    ...hint,
  });
  return {
    ...cut(toModelOutput(result, era.mcp.resultForm, durationMs), limit),
    ...hookResult(result),
    ...(isNested ? scriptResult(result) : {}),
  };
}

/** Returns whether a server declares that a tool changes things; most do not declare anything. */
function changesThings(annotations: unknown): boolean {
  if (!isRecord(annotations)) return false;
  return annotations.readOnlyHint === false || annotations.destructiveHint === true;
}

/** Returns the result for hooks, without metadata for clients. */
function hookResult(result: CallToolResult | string): Pick<ToolOutput, "result"> {
  if (typeof result === "string") return {};
  const { content, structuredContent } = result;
  const structured = structuredContent == null ? {} : { structuredContent };
  return { result: { response: { content, ...structured } } };
}

/** Returns the result for scripts: an error of the tool is a value too. */
function scriptResult(result: CallToolResult | string): Pick<ToolOutput, "value"> {
  if (typeof result === "string") return {};
  const { content, structuredContent, isError } = result;
  const structured = structuredContent == null ? {} : { structuredContent };
  return { value: { content, ...structured, ...(isError ? { isError } : {}) } };
}

function progressText({ message, progress, total }: McpProgress): string {
  return message ?? (total === undefined ? String(progress) : `${progress} of ${total}`);
}

/** The tool's own claim to be read-only, for display; it permits nothing. */
function readOnlyHint(annotations: unknown): { read_only_hint?: boolean } {
  const hint = isRecord(annotations) ? annotations.readOnlyHint : undefined;
  return typeof hint === "boolean" ? { read_only_hint: hint } : {};
}

/** Arguments that are left blank are none; those that are no JSON are the model's mistake. */
function parseArguments(
  text: string,
): { given: { arguments?: unknown }; problem?: undefined } | { problem: string } {
  if (text.trim() === "") return { given: {} };
  try {
    return { given: { arguments: JSON.parse(text) } };
  } catch (error) {
    const { problem } = readArguments(anything, text);
    if (problem === undefined) throw error;
    return { problem: `${problem.what} at line ${problem.line} column ${problem.column}` };
  }
}

const anything = {
  type: "object",
  properties: {},
  required: [],
  additionalProperties: false,
} as const;

function cut(output: ToolOutput, limit: OutputLimit): ToolOutput {
  const text = truncateText(output.text, limit);
  if (output.parts === undefined) return { ...output, text };
  return { ...output, text, parts: truncateItems(output.parts.map(withinSize), limit) };
}

/** Models take no larger pictures, and refuse the whole request for one. */
const maxPicture = 20 * 1024 * 1024;

function withinSize(part: ToolOutputContent): ToolOutputContent {
  if (part.type !== "input_image" || part.image_url.length <= maxPicture) return part;
  return { type: "input_text", text: "[a picture of more than 20 MiB was left out]" };
}

/** Tools of a session's MCP servers that the model is offered. */
export interface McpToolParts {
  /** Tools of the servers. */
  tools: McpTools;
  /** Tools that list and read the resources of servers. */
  resources: readonly Tool[];
  /** Returns true if the session has servers at the moment. */
  isUsed(): boolean;
}

/** Adds the tools of MCP servers behind those of a box. `current` is read on each use: servers may come later. */
export function withMcpTools(box: ToolBox, current: () => McpToolParts | undefined): ToolBox {
  return {
    offered(turn) {
      const own = box.offered(turn);
      const mcp = current();
      if (mcp === undefined || !mcp.isUsed()) return own;
      return [...own, ...mcp.resources.map(({ spec }) => spec), ...mcp.tools.offered()];
    },
    deferrable(turn) {
      const own = box.deferrable?.(turn) ?? [];
      const mcp = current();
      return mcp === undefined || !mcp.isUsed() ? own : [...own, ...mcp.tools.offered()];
    },
    find(kind, name, namespace) {
      const own = box.find(kind, name, namespace);
      const mcp = current();
      if (own !== undefined || kind !== "function" || mcp === undefined) return own;
      const resource = mcp.resources.find(({ spec }) => "name" in spec && spec.name === name);
      return resource ?? mcp.tools.find(name, namespace);
    },
    close: () => box.close(),
    background: box.background,
  };
}
