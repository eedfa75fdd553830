import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listenScriptedModel, scriptedConfig, unguarded } from "../../src/model/scripted/index.js";
import { AgentServer, type Line } from "../agents-kill/server.js";
import { type Place, placeIn } from "../proto-process.js";
import type { Random } from "../random.js";

/** Outcome of a thread with a goal that was killed repeatedly. */
export interface KilledGoalReport {
  problems: string[];
  kills: number;
  /** Kills while the thread was idle. */
  between: number;
  /** Turns that started by themselves. */
  turns: number;
  /** Queued messages that are in the thread. */
  messages: number;
}

/** A thread with a goal and a queue whose servers are killed while it works by itself. */
export class KilledGoal {
  readonly #report: KilledGoalReport = {
    problems: [],
    kills: 0,
    between: 0,
    turns: 0,
    messages: 0,
  };
  readonly #name: string;
  readonly #place: Place;
  readonly #random: Random;
  #processes = 0;
  #threadId = "";
  /** Queued messages by their text: true if the server has accepted them. */
  readonly #queued = new Map<string, boolean>();
  readonly #turnIds = new Set<string>();

  constructor(name: string, root: string, random: Random) {
    this.#name = name;
    this.#place = placeIn(root);
    this.#random = random;
    mkdirSync(this.#place.home, { recursive: true });
    mkdirSync(this.#place.workspace, { recursive: true });
  }

  /** Resumes the thread in a new server, queues messages and kills it at some line of its work, or idle. */
  async runAndKill(): Promise<void> {
    const isIdle = this.#random.below(4) === 0;
    await this.#withServer(async (server, name) => {
      if (!isIdle) this.#killLater(server);
      if (!(await this.#open(server))) return server.kill();
      await Promise.all([0, 1].map((n) => this.#queue(server, `Queued <${name}.${n}>`)));
      if (!isIdle) return;
      await this.#interrupt(server);
      server.kill();
      this.#report.between++;
    });
    this.#report.kills++;
  }

  #killLater(server: AgentServer): void {
    let left = this.#random.below(linesPerRound);
    const laterMs = this.#random.next() * 3;
    server.onLine = () => {
      if (left-- === 0) setTimeout(() => server.kill(), laterMs);
    };
  }

  /** Ends the running turn; nothing follows until the thread is resumed. */
  async #interrupt(server: AgentServer): Promise<void> {
    for (;;) {
      const threadId = this.#threadId;
      const from = server.lines.findLastIndex(({ method }) => method === "turn/started");
      const turnId = turnIdOf(server.lines[from]);
      const reply = await server.request("turn/interrupt", { threadId, turnId });
      const ended = await server.until(({ method }) => method === "turn/completed", from);
      // A turn that ended before the interrupt came is followed by another one.
      if (reply?.error === undefined && ended?.params?.turn?.status === "interrupted") return;
      await server.until(({ method }) => method === "turn/started", from + 1);
    }
  }

  /** Lets the thread finish its queue and one more turn of the goal, and looks at all of it. */
  async finish(): Promise<KilledGoalReport> {
    await this.#withServer(async (server) => {
      if (!(await this.#open(server))) return server.kill();
      await this.#drained(server);
      const threadId = this.#threadId;
      await server.request("thread/goal/set", { threadId, status: "complete" });
      const from = server.lines.findLastIndex(({ method }) => method === "turn/started");
      await server.until(({ method }) => method === "turn/completed", from);
      const { length } = server.lines;
      const read = await server.request("thread/read", { threadId, includeTurns: true });
      this.#checkMessages(JSON.stringify(read?.result?.thread?.turns ?? []));
      await server.request("thread/queue/list", { threadId });
      const later = server.lines.slice(length).filter(({ method }) => method === "turn/started");
      if (later.length > 0) this.#problem("a turn started after the goal was complete");
      await server.shutDown();
    });
    return this.#report;
  }

  async #withServer(work: (server: AgentServer, name: string) => Promise<void>): Promise<void> {
    const name = `${this.#name}p${this.#processes++}`;
    const answer = [{ message: `Working <${name}>`, deltas: 3, pause_ms: 1 }];
    await using model = await listenScriptedModel({
      script: { answers: [answer], after: "repeat" },
    });
    const { baseUrl } = model;
    const config = scriptedConfig({ baseUrl, settings: unguarded, retries: 0 });
    writeFileSync(join(this.#place.home, "config.toml"), config);
    const server = new AgentServer(this.#place);
    await work(server, name);
    await server.ended;
    if (server.stderr !== "") this.#problem(`${name} wrote to stderr: ${server.stderr}`);
    this.#checkTurns(server.lines);
  }

  /** Starts the thread with a goal, or resumes it and waits for the turn that must start by itself. */
  async #open(server: AgentServer): Promise<boolean> {
    const capabilities = { experimentalApi: true };
    const clientInfo = { name: "quire-soak", version: "1.0.0" };
    await server.request("initialize", { clientInfo, capabilities });
    if (this.#threadId === "") return this.#begin(server);
    const params = { threadId: this.#threadId, excludeTurns: true };
    const { error, result } = (await server.request("thread/resume", params)) ?? {};
    if (error !== undefined) this.#problem(`resuming failed: ${error.message}`);
    if (result !== undefined) await server.until(({ method }) => method === "turn/started");
    return result !== undefined;
  }

  async #begin(server: AgentServer): Promise<boolean> {
    // The first server is killed only when the goal is set.
    const { onLine } = server;
    server.onLine = () => {};
    const opened = await server.request("thread/start", {});
    this.#threadId = opened?.result?.thread?.id ?? "";
    const goal = { threadId: this.#threadId, objective: `Reach <${this.#name}>` };
    await server.request("thread/goal/set", goal);
    server.onLine = onLine;
    return true;
  }

  async #queue(server: AgentServer, text: string): Promise<void> {
    this.#queued.set(text, false);
    const reply = await server.request("thread/queue/add", {
      threadId: this.#threadId,
      input: [{ type: "text", text }],
      clientUserMessageId: text,
    });
    if (reply?.error !== undefined) this.#problem(`${text}: ${reply.error.message}`);
    if (reply?.result !== undefined) this.#queued.set(text, true);
  }

  /** Waits until the queue is empty and a turn has started after that. */
  async #drained(server: AgentServer): Promise<void> {
    for (;;) {
      const from = server.lines.length;
      const reply = await server.request("thread/queue/list", { threadId: this.#threadId });
      const result = reply?.result as { data: unknown[] } | undefined;
      await server.until(({ method }) => method === "turn/started", from);
      if (result === undefined || result.data.length === 0) return;
    }
  }

  /** Turns of a server follow each other, and none of them is known already. */
  #checkTurns(lines: readonly Line[]): void {
    let running: string | undefined;
    for (const { method, params } of lines) {
      if (params?.threadId !== this.#threadId) continue;
      const id = turnIdOf({ params });
      if (method === "turn/completed") running = undefined;
      if (method !== "turn/started") continue;
      if (running !== undefined) this.#problem(`${id} started while ${running} was running`);
      if (this.#turnIds.has(id)) this.#problem(`${id} started twice`);
      this.#turnIds.add(id);
      this.#report.turns++;
      running = id;
    }
  }

  #checkMessages(turns: string): void {
    for (const [text, isAccepted] of this.#queued) {
      const times = turns.split(`"text":${JSON.stringify(text)}`).length - 1;
      if (times > 1) this.#problem(`${text} is in the thread ${times} times`);
      if (times === 0 && isAccepted) this.#problem(`${text} was accepted and is lost`);
      this.#report.messages += times;
    }
  }

  #problem(text: string): void {
    this.#report.problems.push(`${this.#name} (${this.#place.root}): ${text}`);
  }
}

function turnIdOf(line: Line | undefined): string {
  const { id = "" } = (line?.params?.turn ?? {}) as { id?: string };
  return id;
}

/** About as many lines as the server writes in three turns. */
const linesPerRound = 50;
