import { expect, test } from "vitest";
import { readTrace } from "../../../src/model/cassette/trace.js";

test("a review is a part of the user's conversation, a helper agent is not", () => {
  const exchange = (n: number, headers: object) => [
    { dir: "model_request", msg: { n, url: "/v1/responses", headers, body: { input: [] } } },
    { dir: "model_response", msg: { n, status: 200, sse: [] } },
  ];
  const lines = [
    ...exchange(0, { "x-openai-subagent": "review" }),
    ...exchange(1, { "x-openai-subagent": "collab_spawn" }),
    ...exchange(2, {}),
  ];

  const entries = readTrace(lines.map((line) => JSON.stringify(line)).join("\n"));

  expect(entries.map(({ agent }) => agent)).toEqual(["/root", "/root/agent", "/root"]);
});
