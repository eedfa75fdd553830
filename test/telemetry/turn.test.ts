import { expect, test } from "vitest";
import { startTestCodex, type TestCodexOptions } from "../support/codex.js";
import { startCollector } from "../support/collector.js";
import { calls, says } from "../support/model.js";

const threeTools: TestCodexOptions["model"] = [
  [
    ...calls("shell", { command: ["sh", "-c", "echo parent $TRACEPARENT"] }, "c1"),
    ...calls("update_plan", { plan: [{ step: "look", status: "pending" }] }, "c2"),
    ...calls("shell", { command: ["cat", "no-such-file"] }, "c3"),
  ],
  says("Done."),
];

function variablesFor(url: string): Record<string, string> {
  return { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" };
}

test("a turn with three tools is one trace", async () => {
  await using collector = await startCollector();
  {
    await using codex = await startTestCodex({
      model: threeTools,
      env: variablesFor(collector.url),
    });
    await codex.turn({ type: "user_input", items: [{ type: "text", text: "a secret plan" }] });
    await codex.shutdown();
  }

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
});
