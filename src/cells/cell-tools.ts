import { errorText } from "../lib/errors.js";
import { randomUuid } from "../lib/ids.js";
import type { CustomToolSpec, FunctionToolSpec } from "../protocol/types.js";
import {
  defineTool,
  failed,
  parameters,
  type Tool,
  type ToolContext,
  type ToolOutput,
} from "../tools/index.js";
import type { CellCalls } from "./cell.js";
import { toCellOutput } from "./cell-output.js";
import type { CellAccess } from "./code-mode.js";
import grammar from "./exec.lark";
import description from "./exec.md";
import type { NestedCatalogue } from "./nested-tools.js";
import { readScript } from "./pragma.js";

/** Definitions by their tools: a definition that is the same object is serialized once. */
const specs = new WeakMap<NestedCatalogue, Map<string, CustomToolSpec | FunctionToolSpec>>();

/** Returns the definition of `exec` with the declarations of its tools. */
export function execSpec(
  catalogue: NestedCatalogue,
  form: "custom" | "function",
): CustomToolSpec | FunctionToolSpec {
  const known = specs.get(catalogue) ?? new Map<string, CustomToolSpec | FunctionToolSpec>();
  specs.set(catalogue, known);
  const spec = known.get(form) ?? createSpec(catalogue, form);
  known.set(form, spec);
  return spec;
}

function createSpec(
  { declarations }: NestedCatalogue,
  form: "custom" | "function",
): CustomToolSpec | FunctionToolSpec {
  const tools = `declare const tools: {\n${declarations}\n};`;
  const text = `${description}\n\`\`\`ts\n${tools}\n\`\`\``;
  if (form === "function") {
    return { type: "function", name: "exec", description: text, strict: false, parameters: source };
  }
  const format = { type: "grammar", syntax: "lark", definition: grammar } as const;
  return { type: "custom", name: "exec", description: text, format };
}

const source = parameters(
  { source: { type: "string", description: "The whole script, as plain JavaScript." } },
  ["source"],
);

/** A tool that only calls other tools: these have hooks and locks of their own. */
const conducts = { skipsHooks: true, isReadOnly: () => true } as const;

const noTools: NestedCatalogue = {
  nested: new Map(),
  direct: [],
  described: [],
  declarations: "",
};

/** Runs a script; takes it as plain text. */
export function execTool(access: CellAccess): Tool {
  return {
    ...conducts,
    spec: execSpec(noTools, "custom"),
    run: ({ text }, context) => runScript(text, context, access, "custom_tool_call_output"),
  };
}

/** Runs a script; takes it as JSON, for models that know only functions. */
export function functionExecTool(access: CellAccess): Tool {
  const tool = defineTool({
    name: "exec",
    description: "Runs a script.",
    input: source,
    run: (args, context) => runScript(args.source, context, access, "function_call_output"),
  });
  return { ...tool, ...conducts };
}

/** Waits for a script that is still running, or ends it. */
export function waitTool(access: CellAccess): Tool {
  const tool = defineTool({
    name: "wait",
    description:
      "Waits for a script that `exec` reported as running, and returns its output since the last time; " +
      "or ends it.",
    input: parameters(
      {
        cell_id: { type: "string", description: "The cell ID that `exec` returned." },
        max_tokens: { type: "number", description: "Most tokens of output; 10000 by default." },
        terminate: { type: "boolean", description: "Ends the script instead of waiting." },
        yield_time_ms: {
          type: "number",
          description: `How long to wait for more output, in milliseconds; ${access.yieldMs} by default.`,
        },
      },
      ["cell_id"],
    ),
    async run({ cell_id, terminate, yield_time_ms = access.yieldMs, max_tokens }, { signal }) {
      const cells = await access.cells();
      const id = /^\d+$/.test(cell_id) ? Number(cell_id) : 0;
      const report = terminate
        ? cells.terminate(id)
        : await cells.wait(id, { yieldMs: yield_time_ms, signal });
      const error = `exec cell ${cell_id} not found`;
      return toCellOutput(report ?? { state: "failed", parts: [], error, ms: 0 }, max_tokens);
    },
  });
  return { ...tool, ...conducts };
}

type NoticeType = "custom_tool_call_output" | "function_call_output";

async function runScript(
  text: string,
  context: ToolContext,
  access: CellAccess,
  noticeType: NoticeType,
): Promise<ToolOutput> {
  const script = readScript(text);
  if (typeof script === "string") return failed(script);
  const { nested, described } = access.toolsIn(context.turn);
  const tools = [...nested.values()].map(({ name, kind }) => ({ name, isText: kind === "custom" }));
  const calls = callsOf(nested, context, noticeType);
  const { signal } = context;
  try {
    const cells = await access.cells();
    const report = await cells.run(
      { source: script.source, tools, described, calls, signal },
      { yieldMs: script.yieldMs ?? access.yieldMs, signal },
    );
    return toCellOutput(report, script.maxTokens);
  } catch (error) {
    signal.throwIfAborted();
    access.giveUp();
    return failed(
      `Scripts cannot run here: ${errorText(error)} Call the tools directly instead, without exec.`,
    );
  }
}

/** Calls of a script are calls like any other, with ids of their own. */
function callsOf(
  nested: NestedCatalogue["nested"],
  context: ToolContext,
  noticeType: NoticeType,
): CellCalls {
  return {
    async callTool(name, input) {
      const tool = nested.get(name);
      if (tool === undefined || context.callTool === undefined) {
        return failed(`unsupported call: ${name}`);
      }
      const { kind, toolName, namespace } = tool;
      const id = `exec-${randomUuid()}`;
      return context.callTool({ id, kind, toolName, namespace, input });
    },
    notify: (text) => context.notifyModel?.(text, noticeType),
  };
}
