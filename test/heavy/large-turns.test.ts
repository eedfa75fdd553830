import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Step } from "../../src/model/scripted/index.js";
import { type Program, startProgram } from "../support/program.js";

const mebibyte = 1024 * 1024;
/** This much text takes a while on a busy machine. */
const timeout = 120_000;

test.each([
  { what: "a tool argument of 30 MB", answer: () => [longCall(30 * mebibyte)] },
  { what: "a message of 40 MB", answer: () => [{ message: "x".repeat(40 * mebibyte) }] },
  { what: "150 MB of deltas", answer: () => deltas(150 * mebibyte, 64 * 1024) },
])(
  "[security H8] $what does not end the app-server of a client that reads",
  async ({ answer }) => {
    await using server = await startProgram({
      args: ["app-server"],
      model: [answer(), [{ message: "still here" }], [{ message: "still here" }]],
    });
    const threadId = await startThread(server);

    await runTurn(server, threadId);
    await runTurn(server, threadId);

    expect(server.child.exitCode).toBeNull();
    expect(memory(server, "VmHWM")).toBeLessThan(1200 * mebibyte);
  },
  timeout,
);

test(
  "[security H8] a client that stops reading slows the model down, and the turn continues when it reads again",
  async () => {
    await using server = await startProgram({
      args: ["app-server"],
      model: [deltas(150 * mebibyte, 64 * 1024)],
    });
    const threadId = await startThread(server);

    server.child.stdout.pause();
    server.send({ id: 9, method: "turn/start", params: turnOf(threadId) });
    const before = await settledBytes(server);
    server.child.stdout.resume();
    await server.until<Message>(({ method }) => method === "turn/completed");

    expect(before).toBeLessThan(400 * mebibyte);
    expect(textOf(server)).toBe(150 * mebibyte);
  },
  timeout,
);

test(
  "[security H8] a turn whose client does not read can be interrupted",
  async () => {
    await using server = await startProgram({
      args: ["app-server"],
      model: [deltas(150 * mebibyte, 64 * 1024)],
    });
    const threadId = await startThread(server);
    const from = server.lines.length;
    server.child.stdout.pause();
    server.send({ id: 9, method: "turn/start", params: turnOf(threadId) });
    await settledBytes(server);

    server.child.stdout.resume();
    const { params } = await server.until<Message>(({ method }) => method === "turn/started", from);
    server.send({
      id: 10,
      method: "turn/interrupt",
      params: { threadId, turnId: params?.turn?.id },
    });
    const end = await server.until<Message>(({ method }) => method === "turn/completed");

    expect(end.params?.turn?.status).toBe("interrupted");
    expect(textOf(server)).toBeLessThan(150 * mebibyte);
  },
  timeout,
);

test(
  "[security H8] a command that writes without end waits for its client",
  async () => {
    await using server = await startProgram({ args: ["app-server"] });
    await startThread(server);
    const command = {
      command: ["sh", "-c", "yes | head -c 200000000"],
      processId: "p",
      streamStdoutStderr: true,
      disableOutputCap: true,
      disableTimeout: true,
      sandboxPolicy: { type: "dangerFullAccess" },
    };

    server.child.stdout.pause();
    server.send({ id: 9, method: "command/exec", params: command });
    const before = await settledBytes(server);
    server.child.stdout.resume();
    await server.until<Message>(({ id }) => id === 9);

    const pieces = (server.lines as { params?: { deltaBase64?: string } }[]).map(
      ({ params }) => Buffer.from(params?.deltaBase64 ?? "", "base64").length,
    );
    expect(before).toBeLessThan(250 * mebibyte);
    expect(pieces.reduce((sum, length) => sum + length, 0)).toBe(200_000_000);
  },
  timeout,
);

interface Message {
  id?: number;
  method?: string;
  params?: { delta?: string; turn?: { id: string; status: string } };
  result?: { thread: { id: string } };
}

function longCall(length: number): Step {
  return { call: "shell", args: { command: ["echo", "x".repeat(length)] }, call_id: "c1" };
}

/** Deltas of one message, whose end is short: the deltas carry the text. */
function deltas(length: number, piece: number): Step[] {
  const delta = { type: "response.output_text.delta", item_id: "m1", delta: "x".repeat(piece) };
  const item = { type: "message", role: "assistant", id: "m1", content: [] };
  const done = { ...item, content: [{ type: "output_text", text: "done" }] };
  return [
    { raw: { type: "response.output_item.added", item } },
    ...Array.from({ length: length / piece }, () => ({ raw: delta })),
    { raw: { type: "response.output_item.done", item: done } },
  ];
}

async function startThread(server: Program): Promise<string> {
  const clientInfo = { name: "test", version: "1" };
  server.send({ id: 0, method: "initialize", params: { clientInfo } });
  server.send({ id: 1, method: "thread/start", params: {} });
  const { result } = await server.until<Message>(({ id, result }) => id === 1 && !!result);
  return result?.thread.id ?? "";
}

async function runTurn(server: Program, threadId: string): Promise<void> {
  const from = server.lines.length;
  server.send({ id: 9, method: "turn/start", params: turnOf(threadId) });
  await server.until<Message>(({ method }) => method === "turn/completed", from);
}

function turnOf(threadId: string) {
  return { threadId, input: [{ type: "text", text: "go" }] };
}

function textOf(server: Program): number {
  const messages = server.lines as Message[];
  const pieces = messages.filter(({ method }) => method === "item/agentMessage/delta");
  return pieces.reduce((sum, { params }) => sum + (params?.delta?.length ?? 0), 0);
}

function memory(server: Program, field: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${server.child.pid}/status`, "utf8");
  return 1024 * Number(new RegExp(`${field}:\\s*(\\d+)`).exec(status)?.[1]);
}

/** Bytes that the server accepts before it stops reading. */
async function settledBytes(server: Program): Promise<number> {
  for (let last = 0; ; ) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const now = memory(server, "VmRSS");
    if (last > 0 && Math.abs(now - last) < mebibyte && now > 60 * mebibyte) return now;
    last = now;
  }
}
