import { describe, expect, test } from "vitest";
import { listenScriptedModel, type Script } from "../../../src/model/scripted/index.js";
import type { StreamItem } from "../../../src/model/types.js";
import {
  askAll,
  clientOf,
  cuts,
  ends,
  fails,
  promptOf,
  says,
  startModel,
} from "../../support/model.js";

/** Returns the final item or the failure of each request. */
async function answersOf(script: Script, requests: number): Promise<unknown[]> {
  await using server = await startModel(script);
  using client = clientOf({ base_url: server.baseUrl });
  const answers: unknown[] = [];
  for (let n = 0; n < requests; n++) answers.push((await askAll(client)).flatMap(gist));
  return answers;
}

function gist(item: StreamItem): unknown[] {
  if (item.type === "failed") return [item.failure.message];
  if (item.type !== "item_done") return [];
  const { id: _, ...rest } = { id: "", ...item.item };
  return [rest];
}

const message = (text: string) => ({
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text }],
});

describe("a scripted model", () => {
  test("an empty request asks for the API, and takes no answer of the script", async () => {
    await using server = await startModel([says("First.")]);
    using client = clientOf({ base_url: server.baseUrl });

    const probe = await fetch(`${server.baseUrl}/responses`, { method: "POST", body: "{}" });

    expect(probe.status).toBe(400);
    expect((await askAll(client)).flatMap(gist)).toEqual([message("First.")]);
  });

  test("does every kind of thing a model does", async () => {
    const script: Script = [
      [
        { reasoning: ["one", "two"], raw: "thoughts" },
        { message: "Hello.", deltas: 3 },
        { call: "shell", args: { command: ["ls"] }, call_id: "c1" },
        { call: "echo", args: "{broken", call_id: "c2", namespace: "mcp__x" },
        { custom_call: "apply_patch", input: "patch", call_id: "c3" },
        { apply_patch: "patch", call_id: "c4" },
        { apply_patch_via_shell: "patch", call_id: "c5" },
        { local_shell: ["ls"], call_id: "c6", timeout_ms: 5 },
        { web_search: "weather" },
      ],
    ];

    expect(await answersOf(script, 1)).toEqual([
      [
        {
          type: "reasoning",
          summary: [
            { type: "summary_text", text: "one" },
            { type: "summary_text", text: "two" },
          ],
          content: [{ type: "reasoning_text", text: "thoughts" }],
          encrypted_content: "ENC",
        },
        message("Hello."),
        { type: "function_call", name: "shell", arguments: '{"command":["ls"]}', call_id: "c1" },
        {
          type: "function_call",
          name: "echo",
          namespace: "mcp__x",
          arguments: "{broken",
          call_id: "c2",
        },
        {
          type: "custom_tool_call",
          status: "completed",
          call_id: "c3",
          name: "apply_patch",
          input: "patch",
        },
        {
          type: "custom_tool_call",
          status: "completed",
          call_id: "c4",
          name: "apply_patch",
          input: "patch",
        },
        {
          type: "function_call",
          name: "shell",
          arguments: '{"command":["apply_patch","patch"]}',
          call_id: "c5",
        },
        {
          type: "local_shell_call",
          call_id: "c6",
          status: "completed",
          action: {
            type: "exec",
            command: ["ls"],
            timeout_ms: 5,
            working_directory: null,
            env: {},
            user: null,
          },
        },
        {
          type: "web_search_call",
          status: "completed",
          action: { type: "search", query: "weather" },
        },
      ],
    ]);
  });

  test("fails as scripted: by status, by a cut, by an early end", async () => {
    const broken = "stream disconnected before completion: ";

    expect(await answersOf([fails(503, "busy"), cuts(says("a")), ends(says("b"))], 3)).toEqual([
      ["exceeded retry limit, last status: 503 Service Unavailable"],
      [message("a"), `${broken}Transport error: error decoding response body`],
      [message("b"), `${broken}stream closed before response.completed`],
    ]);
  });

  test("plays a recorded answer as it is", async () => {
    const sse = [
      { type: "response.output_item.done", item: { ...message("taped"), id: "m" } },
      { $delay_ms: 1 },
      { type: "response.completed", response: { id: "r" } },
    ];

    expect(await answersOf([{ n: 0, status: 200, sse }], 1)).toEqual([[message("taped")]]);
  });

  test("reports that the script is over, or repeats its last answer", async () => {
    const over = '"message":"the script has 1 answers, and this is request 2"';

    expect(await answersOf([says("only")], 2)).toEqual([
      [message("only")],
      [expect.stringContaining(over)],
    ]);
    expect(await answersOf({ answers: [says("again")], after: "repeat" }, 3)).toEqual(
      Array(3).fill([message("again")]),
    );
  });

  test("can repeat the user's text and the model's name", async () => {
    const script: Script = { answers: [[{ echo: true }]], echo_model: true };
    await using server = await startModel(script);
    using client = clientOf({ base_url: server.baseUrl });

    expect((await askAll(client)).flatMap(gist)).toEqual([message("go")]);

    const raw = await fetch(`${server.baseUrl}/responses`, {
      method: "POST",
      body: JSON.stringify({ model: "m1", input: "plain" }),
    });
    expect(raw.status).toBe(400);
  });

  test("puts the name of the model into its responses", async () => {
    await using server = await startModel({ answers: [[{ echo: true }]], echo_model: true });

    const answer = await fetch(`${server.baseUrl}/responses`, {
      method: "POST",
      body: JSON.stringify({ model: "m1", input: "plain" }),
    });
    const text = await answer.text();

    expect(text).toContain('"output":[],"model":"m1"');
    expect(text).toContain('"delta":"plain"');
  });
});

describe("the server of a script", () => {
  test("records its requests", async () => {
    await using server = await startModel([says("x")]);
    using client = clientOf({ base_url: server.baseUrl });

    await askAll(client, promptOf({ model: "m2" }));

    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      method: "POST",
      url: "/v1/responses",
      headers: { accept: "text/event-stream", session_id: "conversation-1" },
      body: { model: "m2", stream: true },
    });
  });

  test("rejects other requests and names the supported one", async () => {
    await using server = await startModel([]);

    const models = await fetch(`${server.baseUrl}/models`);
    const other = await fetch(`${server.baseUrl}/chat/completions`, { method: "POST" });

    expect(await models.json()).toEqual({
      object: "list",
      data: [{ id: "scripted", object: "model" }],
    });
    expect(other.status).toBe(404);
    expect(await other.text()).toContain("not POST /v1/chat/completions");
  });

  test("ends though answers are still hanging", async () => {
    const server = await startModel([[{ message: "x" }, { hang: true }]]);
    using client = clientOf({ base_url: server.baseUrl });
    const stream = client.stream(promptOf(), new AbortController().signal);
    await stream.next();
    await stream.next();

    const last = stream.next();
    await server.close();

    expect((await last).value).toMatchObject([{ type: "failed" }]);
  });

  test("refuses a script that is wrong before it listens", async () => {
    await expect(listenScriptedModel({ script: [[{ message: 7 }]] as never })).rejects.toThrow(
      "script[0][0].message must be text, not 7",
    );
  });
});
