import { describe, expect, test } from "vitest";
import type { StdioServerConfig } from "../../src/mcp/index.js";
import type { Script } from "../../src/model/scripted/index.js";
import type { TraceContext } from "../../src/protocol/types.js";
import { spawn, wait } from "../support/agents.js";
import { startTestCodex, type TestCodexOptions } from "../support/codex.js";
import { type Collector, startCollector } from "../support/collector.js";
import { stdioServer } from "../support/mcp.js";
import { breaks, calls, callsCustom, says } from "../support/model.js";

const threeTools: Script = [
  [
    ...calls("shell", { command: ["sh", "-c", "echo parent=$TRACEPARENT"] }, "c1"),
    ...calls("update_plan", { plan: [{ step: "look", status: "pending" }] }, "c2"),
    ...calls("shell", { command: ["cat", "no-such-file"] }, "c3"),
  ],
  says("The answer."),
];

const parent = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };
const traceparent = `00-${parent.traceId}-${parent.spanId}-01`;

function toCollector({ url }: Collector): Record<string, string> {
  return { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" };
}

/** Runs one turn and waits until its data is exported. */
async function runTurn(options: TestCodexOptions, trace?: TraceContext) {
  await using codex = await startTestCodex({ model: threeTools, ...options });
  const op = {
    type: "user_input" as const,
    items: [{ type: "text" as const, text: "Look around" }],
  };
  codex.submit(op, "turn", trace);
  await codex.until("task_complete");
  await codex.shutdown();
  return codex;
}

describe("a turn with three tools", () => {
  test("is one trace: the turn, its requests, and the tools below the request that calls them", async () => {
    await using collector = await startCollector();
    await runTurn({ env: toCollector(collector) });

    const spans = collector.spans();
    const turn = collector.span("invoke_agent");
    const [first, second] = spans.filter(({ name }) => name.startsWith("chat "));
    const tools = spans.filter(({ name }) => name.startsWith("execute_tool "));

    expect(spans.length).toBe(6);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(turn.parentSpanId).toBeUndefined();
    expect([first?.parentSpanId, second?.parentSpanId]).toEqual([turn.spanId, turn.spanId]);
    expect(tools.map(({ name, parentSpanId, status }) => [name, parentSpanId, status])).toEqual([
      ["execute_tool shell", first?.spanId, 0],
      ["execute_tool update_plan", first?.spanId, 0],
      ["execute_tool shell", first?.spanId, 2],
    ]);
    expect(turn.attributes).toMatchObject({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.conversation.id": expect.any(String),
      "quire.turn.status": "completed",
      "gen_ai.usage.input_tokens": expect.any(Number),
    });
    expect(first?.attributes).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": first?.name.slice("chat ".length),
      "gen_ai.response.finish_reasons": ["tool_call"],
      "gen_ai.usage.output_tokens": expect.any(Number),
    });
    expect(tools[2]?.attributes).toMatchObject({
      "gen_ai.tool.name": "shell",
      "gen_ai.tool.call.id": "c3",
      "error.type": "tool_error",
    });
  });

  test("is measured by the metrics of the GenAI conventions", async () => {
    await using collector = await startCollector();
    await runTurn({ env: toCollector(collector) });

    const tokens = collector.points("gen_ai.client.token.usage");
    const durations = collector.points("gen_ai.client.operation.duration");

    expect(tokens.map(({ attributes, count }) => [attributes["gen_ai.token.type"], count])).toEqual(
      [
        ["input", 2],
        ["output", 2],
      ],
    );
    const counts = durations.map(({ attributes: at, count }) =>
      [at["gen_ai.operation.name"], at["gen_ai.tool.name"], at["error.type"], count].join(" "),
    );
    expect(counts.sort()).toEqual([
      "chat   2",
      "execute_tool shell  1",
      "execute_tool shell tool_error 1",
      "execute_tool update_plan  1",
      "invoke_agent   1",
    ]);
    expect(collector.points("quire.turn.count")).toMatchObject([{ asDouble: 1 }]);
  });

  test("is logged with the ids of its spans", async () => {
    await using collector = await startCollector();
    await runTurn({ env: toCollector(collector) });

    const { traceId, spanId } = collector.span("invoke_agent");
    const logs = collector.logs();
    const inTurn = logs.filter((log) => log.spanId === spanId).map(({ name }) => name);

    expect(logs.filter((log) => log.traceId === traceId).length).toBe(logs.length - 1);
    expect(logs[0]?.name).toBe("codex.conversation_starts");
    expect(inTurn).toEqual(["codex.user_prompt", "codex.turn_ends"]);
    expect(logs.filter(({ name }) => name === "codex.tool_result").length).toBe(3);
    expect(logs.filter(({ name }) => name === "codex.api_request").length).toBe(2);
  });

  test("fails with the error of the model", async () => {
    await using collector = await startCollector();
    await runTurn({
      model: [breaks("insufficient_quota", "No money")],
      env: toCollector(collector),
    });

    expect(collector.span("invoke_agent")).toMatchObject({
      status: 2,
      attributes: { "quire.turn.status": "failed" },
    });
    const chat = collector.spans().find(({ name }) => name.startsWith("chat "));
    expect(chat).toMatchObject({ status: 2, attributes: { "error.type": "quota" } });
  });
});

describe("the trace context", () => {
  test("of a submission is the parent of its turn, and is passed to the model and to commands", async () => {
    await using collector = await startCollector();
    const codex = await runTurn({ env: toCollector(collector) }, { traceparent });

    const turn = collector.span("invoke_agent");
    const [chat] = collector.spans().filter(({ name }) => name.startsWith("chat "));
    const [tool] = collector.spans().filter(({ name }) => name === "execute_tool shell");

    expect([turn.traceId, turn.parentSpanId]).toEqual([parent.traceId, parent.spanId]);
    expect(codex.prompts[0]?.headers?.traceparent).toBe(`00-${turn.traceId}-${chat?.spanId}-01`);
    expect(outputOf(codex, "c1")).toContain(`parent=00-${turn.traceId}-${tool?.spanId}-01`);
  });

  test("of the environment is the parent of a turn without a caller", async () => {
    await using collector = await startCollector();
    await runTurn({ env: { ...toCollector(collector), TRACEPARENT: traceparent } });

    expect(collector.span("invoke_agent").parentSpanId).toBe(parent.spanId);
  });

  test.each([
    ["without telemetry", {}, "parent=\n"],
    ["if the policy of the user excludes it", { exclude: ["TRACE*"] }, "parent=\n"],
    ["if nothing is passed on", { propagators: "none" }, "parent=\n"],
  ])("is not passed to commands %s", async (_, options, expected) => {
    await using collector = await startCollector();
    const isOn = Object.keys(options).length > 0;
    const { exclude, propagators } = options as { exclude?: string[]; propagators?: string };
    const codex = await runTurn({
      env: {
        ...(isOn ? toCollector(collector) : {}),
        ...(propagators === undefined ? {} : { OTEL_PROPAGATORS: propagators }),
      },
      ...(exclude === undefined ? {} : { config: { shell_environment_policy: { exclude } } }),
    });

    expect(outputOf(codex, "c1")).toContain(expected);
    expect(collector.spans().length).toBe(isOn ? 6 : 0);
    if (propagators !== undefined) expect(codex.prompts[0]?.headers?.traceparent).toBeUndefined();
  });

  test("is passed to MCP servers in `_meta`", async () => {
    await using collector = await startCollector();
    const { transport } = await stdioServer("meta");
    const { command, args } = transport as StdioServerConfig;
    await runTurn({
      model: [calls("mcp__tiny__meta", {}), says("Done.")],
      config: { mcp_servers: { tiny: { command, args } } },
      env: {
        ...toCollector(collector),
        OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true",
      },
    });

    const tool = collector.spans().find(({ name }) => name.startsWith("execute_tool"));
    expect(tool?.attributes["gen_ai.tool.call.result"]).toContain(
      `00-${tool?.traceId}-${tool?.spanId}-01`,
    );
  });

  test("of an unsampled caller is obeyed", async () => {
    await using collector = await startCollector();
    await runTurn(
      { env: toCollector(collector) },
      { traceparent: traceparent.replace(/01$/, "00") },
    );

    expect(collector.spans()).toEqual([]);
    expect(collector.points("quire.turn.count").length).toBe(1);
  });

  test("carries the entries of the settings", async () => {
    await using collector = await startCollector();
    const codex = await runTurn(
      {
        env: toCollector(collector),
        config: { otel: { tracestate: { own: { team: "a" } }, span_attributes: { region: "eu" } } },
      },
      { traceparent, tracestate: "other=1,own=old" },
    );

    expect(codex.prompts[0]?.headers?.tracestate).toBe("own=team:a,other=1");
    expect(collector.span("invoke_agent").attributes.region).toBe("eu");
  });
});

describe("content", () => {
  const secret = "hunter2-hunter2";
  const model: Script = [
    calls("shell", { command: ["echo", `the ${secret} and sk-${"a".repeat(20)}`] }),
    says("A private answer."),
  ];
  const run = async (config: Record<string, unknown>) => {
    await using collector = await startCollector();
    const env = { ...toCollector(collector), MY_TOKEN: secret };
    await runTurn({ model, env, config: { otel: config } });
    return {
      text: collector.text(),
      turn: collector.span("invoke_agent"),
      spans: collector.spans(),
    };
  };

  test("is not sent by default", async () => {
    const { text } = await run({});

    for (const part of ["Look around", "private", "echo", secret, "sk-aaa"]) {
      expect(text).not.toContain(part);
    }
  });

  test("is sent if the user enables it, without secrets", async () => {
    const { text, turn, spans } = await run({
      log_user_prompt: true,
      log_agent_responses: true,
      tool_result: { max_bytes: 0 },
    });

    expect(turn.attributes["gen_ai.input.messages"]).toBe(
      '[{"role":"user","parts":[{"type":"text","content":"Look around"}]}]',
    );
    expect(turn.attributes["gen_ai.output.messages"]).toContain("A private answer.");
    const tool = spans.find(({ name }) => name === "execute_tool shell");
    expect(tool?.attributes["gen_ai.tool.call.arguments"]).toContain(
      "the [REDACTED] and [REDACTED]",
    );
    expect(tool?.attributes["gen_ai.tool.call.result"]).toContain("the [REDACTED] and [REDACTED]");
    expect(text).not.toContain(secret);
  });

  test("of tools is cut", async () => {
    const { spans, text } = await run({ tool_result: { max_bytes: 12 } });

    const tool = spans.find(({ name }) => name === "execute_tool shell");
    expect(tool?.attributes["gen_ai.tool.call.arguments"]).toBe('{"command":[');
    expect(text).not.toContain("Look around");
  });
});

test("calls of a script are below the call that runs it", async () => {
  await using collector = await startCollector();
  await runTurn({
    model: [
      callsCustom("exec", 'await tools.update_plan({ plan: [] }); text("ok");'),
      says("Done."),
    ],
    config: { model: "gpt-5.5", "features.code_mode": true },
    env: toCollector(collector),
  });

  const script = collector.span("execute_tool exec");
  expect(collector.span("execute_tool update_plan").parentSpanId).toBe(script.spanId);
});

function outputOf(
  { prompts }: { prompts: { input: readonly unknown[] }[] },
  callId: string,
): string {
  const items = prompts.at(-1)?.input as { call_id?: string; output?: unknown }[];
  const output = items.find((item) => item.call_id === callId && item.output !== undefined)?.output;
  const text = String(output);
  return text.startsWith("{") ? (JSON.parse(text) as { output: string }).output : text;
}

test("the turn of a helper agent is below the call that starts it", async () => {
  await using collector = await startCollector();
  await runTurn({
    model: {
      answers: [[spawn("scout")], wait, says("Done.")],
      agents: { "/root/scout": [says("I saw it.")] },
    },
    config: { model: "gpt-6-sol" },
    env: toCollector(collector),
  });

  const agent = collector.spans().find(({ name }) => name.startsWith("invoke_agent "));
  expect(agent?.parentSpanId).toBe(collector.span("execute_tool collaboration.spawn_agent").spanId);
  expect(collector.spans().every(({ traceId }) => traceId === agent?.traceId)).toBe(true);
});
