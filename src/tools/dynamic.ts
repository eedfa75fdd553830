import type {
  DynamicTool,
  DynamicToolResponse,
  FunctionToolSpec,
  NamespaceToolSpec,
  ToolOutputContent,
} from "../protocol/types.js";
import { failed, type Tool, type ToolContext, type ToolOutput } from "./tool.js";
import type { ToolBox } from "./tool-box.js";

/** The box with the tools that the client runs itself behind its own. */
export function withDynamicTools(box: ToolBox, tools: readonly DynamicTool[]): ToolBox {
  if (tools.length === 0) return box;
  const specs = toSpecs(tools);
  const deferred = specs.filter((spec) => isDeferred(spec, tools));
  const byName = new Map(tools.map((tool) => [keyOf(tool.name, tool.namespace), toTool(tool)]));
  return {
    ...box,
    offered: (turn) => [...box.offered(turn), ...specs],
    deferrable: (turn) => [...(box.deferrable?.(turn) ?? []), ...deferred],
    find: (kind, name, namespace) =>
      box.find(kind, name, namespace) ??
      (kind === "function" ? byName.get(keyOf(name, namespace)) : undefined),
  };
}

/** Returns true if the client asked to defer the tool, or all tools of the namespace. */
function isDeferred(
  spec: FunctionToolSpec | NamespaceToolSpec,
  tools: readonly DynamicTool[],
): boolean {
  const ofSpec = tools.filter(({ name, namespace }) =>
    spec.type === "namespace" ? namespace === spec.name : !namespace && name === spec.name,
  );
  return ofSpec.every(({ deferLoading }) => deferLoading === true);
}

function keyOf(name: string, namespace: string | null | undefined): string {
  return JSON.stringify([namespace ?? "", name]);
}

/** Returns the specs; tools with a namespace are grouped. */
function toSpecs(tools: readonly DynamicTool[]): (FunctionToolSpec | NamespaceToolSpec)[] {
  const specs: (FunctionToolSpec | NamespaceToolSpec)[] = [];
  const namespaces = new Map<string, NamespaceToolSpec>();
  for (const tool of tools) {
    const { namespace: name, namespaceDescription = `Tools of ${name}.` } = tool;
    const open = name === undefined ? undefined : namespaces.get(name);
    if (name === undefined) specs.push(toSpec(tool));
    else if (open !== undefined) open.tools.push(toSpec(tool));
    else {
      const group = { type: "namespace" as const, name, description: namespaceDescription };
      const created = { ...group, tools: [toSpec(tool)] };
      namespaces.set(name, created);
      specs.push(created);
    }
  }
  return specs;
}

function toSpec({ name, description, inputSchema }: DynamicTool): FunctionToolSpec {
  const parameters = inputSchema as FunctionToolSpec["parameters"];
  return { type: "function", name, description, strict: false, parameters };
}

function toTool(tool: DynamicTool): Tool {
  return { spec: toSpec(tool), run: ({ text }, context) => run(tool, text, context) };
}

async function run(
  { name, namespace }: DynamicTool,
  text: string,
  { callId, emit, turnId, askDynamicTool }: ToolContext,
): Promise<ToolOutput> {
  const args = parseArguments(text);
  if (args === undefined) return failed("failed to parse function arguments: they are no JSON");
  const call = {
    callId,
    turnId,
    tool: name,
    ...(namespace === undefined ? {} : { namespace }),
    arguments: args.value,
  };
  const began = performance.now();
  const response = await askDynamicTool(call);
  const durationMs = Math.round(performance.now() - began);
  emit({ type: "dynamic_tool_call_response", ...call, ...response, durationMs });
  return toOutput(response);
}

function parseArguments(text: string): { value: unknown } | undefined {
  if (text.trim() === "") return { value: {} };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function toOutput({ contentItems, success }: DynamicToolResponse): ToolOutput {
  const parts = contentItems.map(
    (item): ToolOutputContent =>
      item.type === "inputText"
        ? { type: "input_text", text: item.text }
        : { type: "input_image", image_url: item.imageUrl },
  );
  const texts = contentItems.flatMap((item) => (item.type === "inputText" ? [item.text] : []));
  return { text: texts.join("\n"), success, parts };
}
