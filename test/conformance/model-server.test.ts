import { expect, test } from "vitest";
import { startModelServer } from "../../conformance/replay/model-server.js";
import type { ModelResponse } from "../../conformance/trace/trace.js";

async function ask(responses: ModelResponse[], use: (url: string) => Promise<void>) {
  const server = await startModelServer({ requests: [], responses });
  try {
    await use(`http://127.0.0.1:${server.port}/v1/responses`);
    return server.requests;
  } finally {
    await server.close();
  }
}

function post(url: string, body: string): Promise<Response> {
  return fetch(url, { method: "POST", body });
}

test("requests are answered in order and recorded", async () => {
  const responses: ModelResponse[] = [
    { status: 429, headers: { "retry-after": "1" }, body: { error: "slow down" } },
    { status: 200, sse: [{ type: "a", n: 1 }, { $delay_ms: 1 }, { type: "b" }] },
  ];

  const requests = await ask(responses, async (url) => {
    const first = await post(url, '{"n":0}');
    expect([first.status, first.headers.get("retry-after"), await first.json()]).toEqual([
      429,
      "1",
      { error: "slow down" },
    ]);
    expect(await (await post(url, "{}")).text()).toBe(
      'event: a\ndata: {"type":"a","n":1}\n\nevent: b\ndata: {"type":"b"}\n\n',
    );
    expect((await post(url, "{}")).status).toBe(500);
    expect((await fetch(url)).status).toBe(404);
  });

  expect(requests.map(({ method, url, body }) => ({ method, url, body }))).toEqual([
    { method: "POST", url: "/v1/responses", body: { n: 0 } },
    { method: "POST", url: "/v1/responses", body: {} },
    { method: "POST", url: "/v1/responses", body: {} },
  ]);
});

test("a stream can end early and can be cut", async () => {
  const responses: ModelResponse[] = [
    { status: 200, sse: [{ type: "a" }, { $end: true }, { type: "b" }] },
    { status: 200, sse: [{ type: "a" }, { $cut: true }] },
  ];

  await ask(responses, async (url) => {
    expect(await (await post(url, "{}")).text()).toBe('event: a\ndata: {"type":"a"}\n\n');
    await expect((await post(url, "{}")).text()).rejects.toThrow();
  });
});

test("helper agents get their own answers, in any order of the requests", async () => {
  const task = (recipient: string) => {
    const content = [{ type: "input_text", text: "Message Type: NEW_TASK\n" }];
    return { input: [{ type: "agent_message", recipient, content }] };
  };
  const request = { method: "POST", url: "/v1/responses", headers: {}, body: null };
  const server = await startModelServer({
    requests: ["/root", "/root/a", "/root/b"].map((agent, n) => ({ ...request, n, agent })),
    responses: ["root", "a", "b"].map((body, n) => ({ n, status: 200, body })),
  });
  const url = `http://127.0.0.1:${server.port}/v1/responses`;

  const bodies = [task("/root/b"), { input: [] }, task("/root/a")];
  const answers: string[] = [];
  for (const body of bodies) answers.push(await (await post(url, JSON.stringify(body))).text());
  await server.close();

  expect(answers).toEqual(["b", "root", "a"]);
});
