import type { Tool, ToolBox, ToolContext, ToolInput, ToolOutput } from "../tools/index.js";
import { type SessionTrace, secondsSince } from "./session-trace.js";

/** Measures each call of a tool as a span `execute_tool NAME`. */
export function observedTools(box: ToolBox, session: SessionTrace): ToolBox {
  const known = new WeakMap<Tool, Tool>();
  return {
    ...box,
    find(kind, name, namespace) {
      const tool = box.find(kind, name, namespace);
      if (tool === undefined) return undefined;
      const observed = known.get(tool) ?? observedTool(tool, toName(name, namespace), session);
      known.set(tool, observed);
      return observed;
    },
  };
}

function toName(name: string, namespace: string | null | undefined): string {
  return namespace == null ? name : `${namespace}.${name}`;
}

function observedTool(tool: Tool, name: string, session: SessionTrace): Tool {
  return { ...tool, run: (input, context) => runObserved({ tool, name, session }, input, context) };
}

interface ObservedTool {
  tool: Tool;
  name: string;
  session: SessionTrace;
}

async function runObserved(
  { tool, name, session }: ObservedTool,
  input: ToolInput,
  context: ToolContext,
): Promise<ToolOutput> {
  const { telemetry, content } = session;
  const { callId, isNested = false } = context;
  const attributes = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name };
  const span = telemetry.startSpan(`execute_tool ${name}`, {
    parent: session.callerOf(callId, isNested),
    attributes: {
      ...attributes,
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.id": callId,
      "gen_ai.tool.call.arguments": content.tool(input.text),
    },
  });
  const startedAt = performance.now();
  const end = (output: ToolOutput | undefined) => {
    const error = errorOf(output);
    const seconds = secondsSince(startedAt);
    telemetry.record("gen_ai.client.operation.duration", seconds, {
      ...attributes,
      ...session.common,
      "error.type": error,
    });
    const result = output === undefined ? undefined : content.tool(output.text);
    span.set({ "gen_ai.tool.call.result": result });
    span.run(() =>
      telemetry.log("codex.tool_result", {
        "conversation.id": session.id,
        tool_name: name,
        call_id: callId,
        duration_ms: Math.round(seconds * 1000),
        success: output?.success ?? false,
        arguments: content.tool(input.text),
        output: result,
      }),
    );
    span.end(error);
  };
  try {
    const output = await session.runCall(span, () => tool.run(input, tracedContext(context, span)));
    end(output);
    return output;
  } catch (error) {
    end(undefined);
    throw error;
  }
}

/** Calls that the tool makes run inside its span, whatever process asks for them. */
function tracedContext(
  context: ToolContext,
  { run }: { run<Result>(work: () => Result): Result },
): ToolContext {
  const { callTool } = context;
  if (callTool === undefined) return context;
  return { ...context, callTool: (call) => run(() => callTool(call)) };
}

function errorOf(output: ToolOutput | undefined): string | undefined {
  if (output === undefined) return "aborted";
  if (output.success) return undefined;
  return output.declined ? "declined" : "tool_error";
}
