import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createQueues,
  type EngineParts,
  type LocalParts,
  runCodex,
} from "../../src/engine/index.js";
import { createLocalParts } from "../../src/engine/local/parts.js";
import { createDeferred } from "../../src/lib/async.js";
import { type Step, scriptedClient } from "../../src/model/scripted/index.js";
import type { ModelClient, Prompt } from "../../src/model/types.js";
import { OpenItems, outcomeUnknown } from "../../src/protocol/lost-items.js";
import type { Event, EventMsg, Op, RolloutItem } from "../../src/protocol/types.js";
import { testConfig } from "../support/test-config.js";

/** What a lost engine leaves: lines and events in one order, and which submissions were applied. */
type Entry = { line: RolloutItem } | { event: Event } | { applied: string };

const serverScript = `
const { appendFileSync } = require("node:fs");
const lines = require("node:readline").createInterface({ input: process.stdin });
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
lines.on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "tiny", version: "1" } } });
  else if (method === "tools/list") send({ id, result: { tools: [{ name: "greet", description: "greet", inputSchema: { type: "object" } }] } });
  else if (method === "tools/call") {
    appendFileSync(params.arguments.file, "x");
    send({ id, result: { content: [{ type: "text", text: "hello" }] } });
  }
});`;

let root = "";
let workspace = "";
const locals: LocalParts[] = [];
const bases: Engine[] = [];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "quire-continue-"));
  workspace = join(root, "workspace");
  mkdirSync(workspace);
  mkdirSync(join(root, "home"));
  writeFileSync(join(root, "server.cjs"), serverScript);
  const env = { PATH: process.env.PATH, HOME: root, CODEX_HOME: join(root, "home") };
  for (const surface of ["queues", "json-rpc"] as const) {
    locals.push(createLocalParts({ env, cwd: workspace, surface }));
    // Shares the MCP server with the engines of all tests.
    const base = new Engine({ surface });
    bases.push(base);
    base.submit("", { type: "configure_session" });
    await base.until((msg) => msg.type === "mcp_startup_complete");
  }
});

afterAll(async () => {
  for (const base of bases) await base.end();
  for (const local of locals) await local.close();
  await rm(root, { recursive: true, force: true });
});

const command = (id: string) => ({
  call: "shell_command",
  args: { command: `printf x >> ran-${id}` },
  call_id: id,
});
const patch = "*** Begin Patch\n*** Add File: ran-p1\n+x\n*** End Patch\n";

/** Calls by response; a later response makes the calls that the conversation lacks. */
const groups = (): (Step & { call_id: string })[][] => [
  [command("c1"), command("c2")],
  [command("c3"), { apply_patch: patch, call_id: "p1" }],
  [{ call: "mcp__tiny__greet", args: { file: join(workspace, "ran-m1") }, call_id: "m1" }],
];
const callIds = ["c1", "c2", "c3", "p1", "m1"];

/** Answers from the conversation alone. */
function answerTo({ input }: Prompt): Step[] {
  const known = new Set(input.map((item) => ("call_id" in item ? item.call_id : "")));
  for (const group of groups()) {
    const missing = group.filter(({ call_id }) => !known.has(call_id));
    if (missing.length > 0) return [{ message: "Working." }, ...missing];
  }
  return [{ reasoning: "Thought." }, { message: "Done." }];
}

interface Setup {
  surface: "queues" | "json-rpc";
  approval_policy?: string;
  features?: Record<string, boolean>;
  answer?: (prompt: Prompt) => Step[];
}

/** An engine with a log that is cut anywhere between two steps of its work. */
class Engine {
  readonly batches: Entry[][] = [];
  readonly prompts: Prompt[] = [];
  readonly #queues = createQueues();
  readonly #running: Promise<void>;
  readonly #waiting = new Set<() => void>();
  #batch: Entry[] | undefined;

  constructor({ surface, approval_policy = "never", features = {}, answer = answerTo }: Setup) {
    const local = locals[surface === "queues" ? 0 : 1] as LocalParts;
    const log = {
      path: undefined,
      append: (line: RolloutItem) => this.#push({ line }),
      settled: () => new Promise<void>((resolve) => setImmediate(resolve)),
      close: async () => {},
    };
    const model: ModelClient = {
      stream: (prompt, signal) => {
        this.prompts.push({ ...prompt, input: [...prompt.input] });
        return scriptedClient([answer(prompt)]).stream(prompt, signal);
      },
      close() {},
    };
    const mcp_servers = { tiny: { command: process.execPath, args: [join(root, "server.cjs")] } };
    const parts: EngineParts = {
      ...local,
      loadConfig: (op) =>
        local.loadConfig({
          ...op,
          config: { ...testConfig, mcp_servers, approval_policy, features, ...op.config },
        }),
      createModel: async () => model,
      openLog(meta) {
        log.append({ type: "session_meta", payload: meta });
        return log;
      },
      resumeLog: () => log,
    };
    const publish = (event: Event) => {
      if (event.msg.type.endsWith("_delta")) return;
      this.#push({ event });
      this.#answer(event.msg);
    };
    const applied = (id: string) => this.#push({ applied: id });
    this.#running = runCodex({ ...this.#queues, publish, applied }, parts);
  }

  get entries(): Entry[] {
    return this.batches.flat();
  }

  get events(): Event[] {
    return eventsOf(this.entries);
  }

  submit(id: string, op: Op): void {
    this.#queues.submissions.push({ id, op });
  }

  async until(isMet: (msg: EventMsg) => boolean): Promise<void> {
    while (!this.events.some(({ msg }) => isMet(msg))) {
      const changed = createDeferred<void>();
      this.#waiting.add(changed.resolve);
      await changed.promise;
    }
  }

  async end(): Promise<void> {
    this.submit("bye", { type: "shutdown" });
    await this.#running;
  }

  #answer(msg: EventMsg): void {
    const type = answerTypes[msg.type as keyof typeof answerTypes];
    if (type === undefined || !("call_id" in msg)) return;
    const id = msg.call_id as string;
    const op: Op = { type, id, decision: "approved" };
    setImmediate(() => {
      this.#push({ event: { id: "", msg: { type: "question_answered", key: id, op } } });
      this.submit(`answer ${id}`, op);
    });
  }

  #push(entry: Entry): void {
    if (this.#batch === undefined) {
      this.#batch = [];
      this.batches.push(this.#batch);
      queueMicrotask(() => {
        this.#batch = undefined;
      });
    }
    this.#batch.push(entry);
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}

const answerTypes = {
  exec_approval_request: "exec_approval",
  apply_patch_approval_request: "patch_approval",
} as const;

function eventsOf(entries: readonly Entry[]): Event[] {
  return entries.flatMap((entry) => ("event" in entry ? [entry.event] : []));
}

const isEnd = ({ type }: EventMsg) => type === "task_complete" || type === "turn_aborted";
const go: Op = { type: "user_turn", items: [{ type: "text", text: "go" }] };
const turnId = "019a0000-0000-7000-8000-000000000001";

/** Runs a turn to its end and returns what it has logged, in the pieces it may be lost between. */
async function wholeTurn(setup: Setup): Promise<Entry[][]> {
  clearWorkspace();
  const engine = new Engine(setup);
  engine.submit("first", { type: "configure_session", cwd: workspace });
  engine.submit(turnId, go);
  await engine.until(isEnd);
  const { batches } = engine;
  const length = batches.length;
  await engine.end();
  return batches.slice(0, length);
}

/** Continues the conversation of a log on another engine, until its turn ends. */
async function continueFrom(prefix: readonly Entry[], setup: Setup) {
  clearWorkspace();
  const lines = prefix.flatMap((entry) => ("line" in entry ? [entry.line] : []));
  const path = join(root, "rollout.jsonl");
  const timestamp = new Date(0).toISOString();
  writeFileSync(path, lines.map((line) => `${JSON.stringify({ timestamp, ...line })}\n`).join(""));
  const messages = eventsOf(prefix).map(({ msg }) => msg);
  const started = messages.findIndex(({ type }) => type === "task_started");
  const isApplied = prefix.some((entry) => "applied" in entry && entry.applied === turnId);
  const engine = new Engine(setup);
  engine.submit("load", { type: "configure_session", resume_path: path, keeps_policies: true });
  const is_resubmitted = !isApplied;
  const events = messages.slice(started);
  engine.submit(turnId, { type: "continue_turn", turn_id: turnId, events, is_resubmitted });
  if (!isApplied) engine.submit(turnId, go);
  await engine.until(isEnd);
  const whole = [...events, ...engine.events.map(({ msg }) => msg)];
  const { prompts } = engine;
  await engine.end();
  return { whole, prompts };
}

function clearWorkspace(): void {
  for (const id of callIds) rmSync(join(workspace, `ran-${id}`), { force: true });
}

function timesRun(id: string): number {
  const path = join(workspace, `ran-${id}`);
  return existsSync(path) ? readFileSync(path, "utf8").trim().length : 0;
}

/** State of a call in a log. */
function stateOf(id: string, messages: readonly EventMsg[]): "new" | "begun" | "ended" {
  const idOf = (msg: EventMsg) => ("call_id" in msg ? msg.call_id : "key" in msg ? msg.key : "");
  const types = messages.flatMap((msg) => (idOf(msg) === id ? [msg.type] : []));
  if (types.some((type) => type.endsWith("_end"))) return "ended";
  const isAsked = messages.some((msg) => msg.type === "patch_apply_begin" && !msg.auto_approved);
  const begins = id === "p1" && isAsked ? "question_answered" : "_begin";
  return types.some((type) => type.endsWith(begins)) ? "begun" : "new";
}

const cases: (Setup & { name: string })[] = [
  { name: "without approvals", surface: "json-rpc" },
  { name: "with approvals", surface: "json-rpc", approval_policy: "untrusted" },
  { name: "of the queues", surface: "queues", approval_policy: "untrusted" },
];

test.each(cases)(
  "a turn $name continues wherever its engine is lost",
  async (setup) => {
    const batches = await wholeTurn(setup);
    expect(callIds.map(timesRun)).toEqual([1, 1, 1, 1, 1]);
    const first = batches.findIndex((batch) =>
      eventsOf(batch).some(({ msg }) => msg.type === "task_started"),
    );
    expect(batches.length - first).toBeGreaterThan(20);

    for (let length = first + 1; length < batches.length; length++) {
      const prefix = batches.slice(0, length).flat();
      const before = eventsOf(prefix).map(({ msg }) => msg);
      const { whole, prompts } = await continueFrom(prefix, setup);
      const at = `lost after ${JSON.stringify(before.at(-1))}`;

      const count = (type: string) => whole.filter((msg) => msg.type === type).length;
      expect([count("task_started"), count("task_complete"), count("error")], at).toEqual([
        1, 1, 0,
      ]);
      const open = new OpenItems();
      for (const msg of whole) open.read(msg);
      expect(open.all, at).toEqual([]);
      const begins = whole.flatMap((msg) =>
        msg.type.endsWith("_begin") && "call_id" in msg ? [msg.call_id] : [],
      );
      expect(begins.toSorted(), at).toEqual([...new Set(begins)].toSorted());
      expect(whole.filter((msg) => msg.type === "user_message").length, at).toBe(1);

      const states = callIds.map((id) => stateOf(id, before));
      const again = states.map((state) => (state === "new" ? 1 : 0));
      expect(callIds.map(timesRun), `${at} ${states}`).toEqual(again);
      const input = prompts.at(-1)?.input;
      if (input === undefined) continue;
      const outputs = new Map<string, string>();
      const calls: string[] = [];
      for (const item of input) {
        if (item.type === "function_call" || item.type === "custom_tool_call")
          calls.push(item.call_id);
        if (item.type !== "function_call_output" && item.type !== "custom_tool_call_output")
          continue;
        const { call_id = "" } = item;
        expect(outputs.has(call_id), at).toBe(false);
        outputs.set(call_id, JSON.stringify(item.output));
      }
      expect(calls.toSorted(), at).toEqual(callIds.toSorted());
      expect([...outputs.keys()].toSorted(), at).toEqual(callIds.toSorted());
      for (const [index, id] of callIds.entries()) {
        const isUnknown = outputs.get(id)?.includes(outcomeUnknown);
        expect(isUnknown, `${id} ${at}`).toBe(states[index] === "begun");
      }
    }
  },
  60_000,
);

test.each([
  ["on-request", ["again"]],
  ["never", []],
])(
  "with %s, a command of unknown outcome is repeated after approval of %j",
  async (approval_policy, asked) => {
    const args = { command: "printf x >> ran-c1" };
    const answer = ({ input }: Prompt): Step[] => {
      const known = JSON.stringify(input);
      if (!known.includes('"c1"')) return [{ call: "shell_command", args, call_id: "c1" }];
      if (!known.includes(outcomeUnknown)) return [{ message: "Done." }];
      const next = ["other", "again"].find((id) => !known.includes(`"${id}"`));
      if (next === undefined) return [{ message: "Done." }];
      const other = { command: "true > ran-c2" };
      return [{ call: "shell_command", args: next === "again" ? args : other, call_id: next }];
    };
    const setup: Setup = { surface: "json-rpc", approval_policy, answer };
    const batches = await wholeTurn(setup);
    const begun = batches.findIndex((batch) =>
      eventsOf(batch).some(({ msg }) => msg.type === "exec_command_begin"),
    );

    const { whole } = await continueFrom(batches.slice(0, begun + 1).flat(), setup);

    const requests = whole.filter((msg) => msg.type === "exec_approval_request");
    expect(requests.map(({ call_id }) => call_id)).toEqual(asked);
    for (const { reason } of requests) expect(reason).toMatch(/its outcome is unknown/);
    expect(timesRun("c1")).toBe(1);
  },
);

describe("a turn with helper agents", () => {
  const call = (tool: string): Step[] => [
    { call: tool, namespace: "collaboration", args: {}, call_id: "a1" },
  ];
  const setupOf = (tool: string): Setup => ({
    surface: "json-rpc",
    features: { multi_agent_v2: true },
    answer: ({ input }) =>
      input.some((item) => "call_id" in item) ? [{ message: "Done." }] : call(tool),
  });
  const outputOf = (prompts: readonly Prompt[]) =>
    prompts[0]?.input.flatMap((item) =>
      item.type === "function_call_output" ? [JSON.stringify(item.output)] : [],
    );

  /** The log up to the call of a tool, which has not begun. */
  async function untilCall(): Promise<Entry[]> {
    const entries = (await wholeTurn(setupOf("list_agents"))).flat();
    const last = entries.findIndex(
      (entry) =>
        "line" in entry &&
        entry.line.type === "response_item" &&
        entry.line.payload.type === "function_call",
    );
    return entries.slice(0, last + 1);
  }

  test("makes a call of a tool that is loaded when a model needs it", async () => {
    const { prompts } = await continueFrom(await untilCall(), setupOf("list_agents"));

    expect(outputOf(prompts)).toEqual([expect.stringContaining("/root")]);
  });

  test("ends a call that had begun, and does not repeat it", async () => {
    const item = {
      type: "CollabAgentToolCall" as const,
      id: "a1",
      tool: "wait" as const,
      status: "inProgress" as const,
      sender_thread_id: "t",
      receiver_thread_ids: [],
      agents_states: {},
    };
    const begun: Event = {
      id: turnId,
      turn_id: turnId,
      msg: { type: "item_started", thread_id: "t", turn_id: turnId, item },
    };

    const prefix = [...(await untilCall()), { event: begun }];
    const { whole, prompts } = await continueFrom(prefix, setupOf("list_agents"));

    const items = whole.flatMap((msg) =>
      (msg.type === "item_started" || msg.type === "item_completed") && msg.item.id === "a1"
        ? [[msg.type, "status" in msg.item ? msg.item.status : undefined]]
        : [],
    );
    expect(items).toEqual([
      ["item_started", "inProgress"],
      ["item_completed", "failed"],
    ]);
    expect(outputOf(prompts)).toEqual([expect.stringContaining(outcomeUnknown)]);
  });
});
