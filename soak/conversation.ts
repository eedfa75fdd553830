import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  listenScriptedModel,
  type ScriptedServer,
  scriptedConfig,
} from "../src/model/scripted/index.js";
import type { ResponseItem } from "../src/protocol/types.js";
import { type Place, ProtoProcess, placeIn } from "./proto-process.js";
import type { Random } from "./random.js";
import {
  count,
  keysOfEvent,
  keysOfItem,
  readContents,
  repeated,
  unansweredCalls,
} from "./rollout-check.js";
import { answersPerTurn, fileOf, marksIn, turnAnswers } from "./turn-script.js";

/** Outcome of a conversation that was killed repeatedly. */
export interface ConversationReport {
  problems: string[];
  kills: number;
  turns: number;
  /** Lines that a kill cut in two; no client received their content. */
  torn: number;
  /** Messages that clients received, but whose response was cut off by a kill before it was recorded. */
  brokenOff: number;
}

/** One conversation: every process that leads it is killed, and the next one takes it up. */
export class KilledConversation {
  readonly report: ConversationReport = {
    problems: [],
    kills: 0,
    turns: 0,
    torn: 0,
    brokenOff: 0,
  };
  #name: string;
  #place: Place;
  #random: Random;
  #path: string | undefined;
  #processes = 0;
  /** Received events that must persist. */
  #reported = new Map<string, number>();
  /** Items that the model must receive from now on. */
  #kept = new Set<string>();

  constructor(name: string, root: string, random: Random) {
    this.#name = name;
    this.#place = placeIn(root);
    this.#random = random;
    mkdirSync(this.#place.home, { recursive: true });
    mkdirSync(this.#place.workspace, { recursive: true });
  }

  /** Takes the conversation up in a new process, finishes a turn, and kills it in a later one. */
  async runAndKill(): Promise<void> {
    // Some do not even live to be taken up.
    const diesEarly = this.#random.below(8) === 0;
    const earlyMs = this.#random.next() * 250;
    await this.#withProcess(async (process, model, name) => {
      if (diesEarly) setTimeout(() => process.kill(), earlyMs);
      if (!(await this.#takeUp(process))) return;
      await this.#turn(process, `${name}t0`);
      this.#checkFirstRequest(model);
      if (!diesEarly) this.#killSoon(process);
      for (let turn = 1; turn < turnsPerProcess; turn++) {
        await this.#turn(process, `${name}t${turn}`);
      }
      process.kill();
    });
    this.report.kills++;
  }

  /** Takes it up for the last time, ends it in good order, and looks at all there is. */
  async finish(): Promise<ConversationReport> {
    await this.#withProcess(async (process, model, name) => {
      if (await this.#takeUp(process)) await this.#turn(process, `${name}t0`);
      else this.#problem("it cannot be taken up any more");
      this.#checkFirstRequest(model);
      await process.shutDown();
    });
    await this.#checkRollout();
    return this.report;
  }

  async #withProcess(
    work: (process: ProtoProcess, model: ScriptedServer, name: string) => Promise<void>,
  ): Promise<void> {
    const name = `${this.#name}p${this.#processes++}`;
    const turns = Array.from({ length: turnsPerProcess }, (_, turn) => `${name}t${turn}`);
    await using model = await listenScriptedModel({ script: turns.flatMap(turnAnswers) });
    writeFileSync(
      join(this.#place.home, "config.toml"),
      scriptedConfig({ baseUrl: model.baseUrl, retries: 0 }),
    );
    const process = new ProtoProcess(this.#place);
    await work(process, model, name);
    await process.ended;
    if (process.stderr !== "") this.#problem(`${name} wrote to stderr: ${process.stderr}`);
    await this.#remember(process, model);
  }

  async #takeUp(process: ProtoProcess): Promise<boolean> {
    const resume = this.#path === undefined ? {} : { resume_path: this.#path };
    process.send("", { type: "configure_session", ...resume });
    const answer = await process.until(
      ({ msg }) => msg.type === "session_configured" || msg.type === "error",
    );
    if (answer?.msg.type === "error") this.#problem(`taking it up failed: ${answer.msg.message}`);
    if (answer?.msg.type !== "session_configured") return false;
    this.#path = answer.msg.rollout_path;
    return true;
  }

  async #turn(process: ProtoProcess, name: string): Promise<void> {
    const items = [{ type: "text" as const, text: `Do it <${name}.question>` }];
    process.send(name, { type: "user_input", items });
    const end = await process.until(
      ({ id, msg }) => id === name && (msg.type === "task_complete" || msg.type === "error"),
    );
    if (end?.msg.type === "error") this.#problem(`${name}: ${end.msg.message}`);
    if (end?.msg.type !== "task_complete") return;
    this.report.turns++;
    const expected = `resp_${name}.${answersPerTurn - 1}`;
    if (end.msg.response_id !== expected) {
      this.#problem(`${name} ended with ${end.msg.response_id}, not ${expected}`);
    }
    const file = join(this.#place.workspace, fileOf(name));
    if (!existsSync(file)) this.#problem(`${name} is complete, but ${file} is not there`);
  }

  /** Kills it at one of the events to come, or a moment later. */
  #killSoon(process: ProtoProcess): void {
    let left = this.#random.below(eventsPerTurn * (turnsPerProcess - 1));
    const laterMs = this.#random.next() * 4;
    process.onEvent = () => {
      if (left-- === 0) setTimeout(() => process.kill(), laterMs);
    };
  }

  /** The first request of a process shows all that was kept of those before it, each once. */
  #checkFirstRequest({ requests: [request] }: ScriptedServer): void {
    if (request === undefined) return;
    const { input } = request.body as { input: ResponseItem[] };
    const shown = new Map<string, number>();
    for (const item of input) count(shown, keysOfItem(item));
    for (const key of repeated(shown)) this.#problem(`shown more than once: ${key}`);
    for (const key of this.#kept) {
      if (!shown.has(key)) this.#problem(`not shown to the model any more: ${key}`);
    }
    for (const call of unansweredCalls(input)) this.#problem(`a call without an output: ${call}`);
  }

  /** Records the events of a process, its rollout, and its model requests. */
  async #remember({ events }: ProtoProcess, { requests }: ScriptedServer): Promise<void> {
    if (this.#path === undefined) return;
    const { items } = await readContents(this.#path);
    for (const key of items.keys()) this.#kept.add(key);
    const { input } = (requests.at(-1)?.body ?? { input: [] }) as { input: ResponseItem[] };
    for (const key of input.flatMap(keysOfItem)) this.#kept.add(key);
    for (const { msg } of events) {
      count(this.#reported, keysOfEvent(msg));
      if (msg.type !== "agent_message") continue;
      const isKept = marksIn(msg.message).every((mark) => items.has(`message ${mark}`));
      if (!isKept) this.report.brokenOff++;
    }
  }

  async #checkRollout(): Promise<void> {
    if (this.#path === undefined) return;
    const { items, events, broken } = await readContents(this.#path);
    this.report.torn += broken.length;
    if (broken.length > this.report.kills) this.#problem(`lines that cannot be read: ${broken}`);
    for (const key of repeated(items)) this.#problem(`recorded more than once: ${key}`);
    for (const key of repeated(events)) this.#problem(`recorded more than once: ${key}`);
    for (const key of repeated(this.#reported)) this.#problem(`reported more than once: ${key}`);
    for (const key of this.#reported.keys()) {
      if (!events.has(key)) this.#problem(`reported, but not recorded: ${key}`);
    }
  }

  #problem(text: string): void {
    this.report.problems.push(`${this.#name} (${this.#place.root}): ${text}`);
  }
}

const turnsPerProcess = 3;
/** About as many events as one turn emits, so that kills fall anywhere in the turns after the first. */
const eventsPerTurn = 45;
