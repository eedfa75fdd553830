import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { both, calls, reasons, says } from "../support/model.js";
import { type Program, startProgram } from "../support/program.js";

interface Message {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { message: string };
}

/** A client that follows the notes of document 004: no `jsonrpc`, and three kinds of messages. */
function client(program: Program) {
  let count = 0;
  return {
    async call(method: string, params: object = {}): Promise<Message> {
      const id = ++count;
      program.send({ id, method, params });
      return program.until<Message>((line) => line.id === id && line.method === undefined);
    },
    notify: (method: string) => program.send({ method }),
    until: (method: string) => program.until<Message>((line) => line.method === method),
  };
}

async function handshake({ call, notify }: ReturnType<typeof client>): Promise<void> {
  await call("initialize", { clientInfo: { name: "go-client", title: "Go", version: "0.1" } });
  notify("initialized");
}

function threadOf({ result }: Message): string {
  return (result as { thread: { id: string } }).thread.id;
}

const text = (words: string) => [{ type: "text", text: words }];

test("[documents 004] the flow from initialize to turn/completed, with an approval", async () => {
  await using program = await startProgram({
    args: ["app-server"],
    model: [
      both(
        reasons("Thinking."),
        calls("shell", {
          command: ["bash", "-c", "echo hi > said; cat said"],
          with_escalated_permissions: true,
        }),
      ),
      says("Said hi."),
    ],
  });
  const { call, until, notify } = client(program);

  const early = await call("model/list");
  await handshake({ call, until, notify });
  const models = await call("model/list");
  const started = await call("thread/start", {
    approvalPolicy: "on-request",
    sandbox: "workspace-write",
  });
  const threadId = threadOf(started);
  await call("turn/start", { threadId, input: text("say hi") });
  const asked = await until("item/commandExecution/requestApproval");
  program.send({ id: asked.id, result: "accept" });
  const completed = await until("turn/completed");

  expect(early.error?.message).toBe("Not initialized");
  expect(models.result?.data).not.toHaveLength(0);
  expect(completed.params).toMatchObject({ threadId, turn: { status: "completed" } });
  const lines = program.lines as Message[];
  const methods = lines.flatMap(({ method }) => method ?? []);
  const typed = lines.flatMap(({ method, params }) => {
    const item = params?.item as { type: string } | undefined;
    return item === undefined ? [] : [`${method} ${item.type}`];
  });
  expect(typed).toContain("item/started commandExecution");
  expect(methods).toEqual(
    expect.arrayContaining([
      "item/reasoning/summaryTextDelta",
      "item/commandExecution/outputDelta",
      "item/agentMessage/delta",
      "thread/tokenUsage/updated",
    ]),
  );
  expect(lines.some((line) => "jsonrpc" in line)).toBe(false);
});

test("[documents 004] the sandbox is a string in thread/start and an object in turn/start", async () => {
  await using program = await startProgram({
    args: ["app-server"],
    model: [calls("shell", { command: ["touch", "made"] }), says("Tried.")],
  });
  const { call, until, notify } = client(program);
  await handshake({ call, until, notify });

  const object = await call("thread/start", { sandbox: { type: "workspaceWrite" } });
  const camel = await call("thread/start", { sandbox: "workspaceWrite" });
  const kebab = await call("thread/start", { sandbox: "workspace-write", approvalPolicy: "never" });
  const threadId = threadOf(kebab);
  const sandbox = { type: "readOnly" };
  await call("turn/start", { threadId, input: text("make a file"), sandbox });
  await until("turn/completed");

  expect(object.error?.message).toContain("invalid value: map, expected map with a single key");
  expect(camel.error?.message).toContain("workspaceWrite");
  expect(await readdir(program.workspace)).not.toContain("made");
});

test("[documents 004] a file change is an item, and no approval is asked with `never`", async () => {
  const patch = "*** Begin Patch\n*** Add File: made.txt\n+made\n*** End Patch";
  await using program = await startProgram({
    args: ["app-server"],
    model: [[{ apply_patch: patch, call_id: "p1" }], says("Made.")],
  });
  const { call, until, notify } = client(program);
  await handshake({ call, until, notify });

  const started = await call("thread/start", {
    approvalPolicy: "never",
    sandbox: "workspace-write",
  });
  const threadId = threadOf(started);
  await call("turn/start", { threadId, input: text("make a file") });
  await until("turn/completed");

  const lines = program.lines as Message[];
  const begun = lines.filter(({ method }) => method === "item/started");
  expect(begun).toContainEqual(
    expect.objectContaining({
      params: expect.objectContaining({ item: expect.objectContaining({ type: "fileChange" }) }),
    }),
  );
  expect(lines.some(({ method }) => method?.endsWith("requestApproval"))).toBe(false);
  expect(await readdir(program.workspace)).toContain("made.txt");
});
