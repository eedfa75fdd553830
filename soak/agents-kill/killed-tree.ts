import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  listenScriptedModel,
  type ScriptedServer,
  scriptedConfig,
  unguarded,
} from "../../src/model/scripted/index.js";
import { type Place, placeIn } from "../proto-process.js";
import type { Random } from "../random.js";
import { AgentServer, type Line } from "./server.js";
import { agentNames, treeScript } from "./tree-script.js";

/** Outcome of a conversation that was killed repeatedly. */
export interface KilledTreeReport {
  problems: string[];
  kills: number;
  /** Agents that were reported as started. */
  agents: number;
  lost: number;
  answered: number;
  commands: number;
  items: number;
}

/** A conversation whose servers are killed while its agents work. */
export class KilledTree {
  readonly #report: KilledTreeReport = {
    problems: [],
    kills: 0,
    agents: 0,
    lost: 0,
    answered: 0,
    commands: 0,
    items: 0,
  };
  readonly #name: string;
  readonly #place: Place;
  readonly #random: Random;
  #processes = 0;
  #threadId: string | undefined;
  /** Texts of items that clients received as completed, by thread. */
  readonly #reported = new Map<string, Set<string>>();
  /** Agents that clients know, by path: true once their end was reported too. */
  readonly #agents = new Map<string, boolean>();
  /** Agents of which the root was told that they are lost, or whose answer it got. */
  readonly #told = new Map<string, "lost" | "answered">();

  constructor(name: string, root: string, random: Random) {
    this.#name = name;
    this.#place = placeIn(root);
    this.#random = random;
    mkdirSync(this.#place.home, { recursive: true });
    mkdirSync(join(this.#place.workspace, "counters"), { recursive: true });
  }

  /** Resumes the conversation in a new server and kills it while the agents work. */
  async runAndKill(): Promise<void> {
    await this.#withServer(async (server, name) => {
      if (!(await this.#open(server))) return server.kill();
      const started = server.until(
        ({ params }) => params?.item?.kind === "started" && params.threadId === this.#threadId,
      );
      void this.#turn(server, name);
      await started;
      let left = this.#random.below(linesPerTurn);
      const laterMs = this.#random.next() * 4;
      server.onLine = () => {
        if (left-- === 0) setTimeout(() => server.kill(), laterMs);
      };
      await this.#ended(server);
      server.kill();
    });
    this.#report.kills++;
  }

  /** Runs a last turn to its end and looks at everything there is. */
  async finish(): Promise<KilledTreeReport> {
    await this.#withServer(async (server, name) => {
      if (await this.#open(server)) {
        await this.#turn(server, name);
        await this.#ended(server);
        await this.#agentsEnded(server, name);
        const { length } = server.lines;
        await this.#turn(server, name);
        await this.#ended(server, length);
        await this.#checkItems(server);
      }
      await server.shutDown();
    });
    this.#checkCounters();
    for (const path of this.#agents.keys()) {
      if (!this.#told.has(path)) this.#problem(`the root does not know what became of ${path}`);
    }
    const told = [...this.#told.values()];
    this.#report.agents = this.#agents.size;
    this.#report.lost = told.filter((end) => end === "lost").length;
    this.#report.answered = told.length - this.#report.lost;
    return this.#report;
  }

  async #withServer(work: (server: AgentServer, name: string) => Promise<void>): Promise<void> {
    const name = `${this.#name}p${this.#processes++}`;
    await using model = await listenScriptedModel({ script: treeScript(name) });
    const { baseUrl } = model;
    const config = scriptedConfig({ baseUrl, settings: unguarded, retries: 0 });
    writeFileSync(join(this.#place.home, "config.toml"), config);
    const server = new AgentServer(this.#place);
    await work(server, name);
    await server.ended;
    if (server.stderr !== "") this.#problem(`${name} wrote to stderr: ${server.stderr}`);
    for (const line of server.lines) this.#remember(line);
    this.#checkTold(model);
  }

  async #open(server: AgentServer): Promise<boolean> {
    await server.request("initialize", { clientInfo: { name: "quire-soak", version: "1.0.0" } });
    const { result, error } =
      (this.#threadId === undefined
        ? await server.request("thread/start", { model: "gpt-6-sol" })
        : await server.request("thread/resume", { threadId: this.#threadId })) ?? {};
    if (error !== undefined) this.#problem(`resuming failed: ${error.message}`);
    this.#threadId ??= result?.thread?.id;
    return result !== undefined;
  }

  async #turn(server: AgentServer, name: string): Promise<void> {
    const input = [{ type: "text", text: `Use agents <${name}.question>` }];
    await server.request("turn/start", { threadId: this.#threadId, input });
  }

  /** Waits for the end of the turn of the root, or of the server. */
  async #ended(server: AgentServer, from = 0): Promise<void> {
    await server.until(
      ({ method, params }) => method === "turn/completed" && params?.threadId === this.#threadId,
      from,
    );
  }

  async #agentsEnded(server: AgentServer, name: string): Promise<void> {
    for (const agent of agentNames(name)) {
      await server.until(
        ({ params }) =>
          params?.item?.kind === "completed" && params.item.agentPath === `/root/${agent}`,
      );
    }
  }

  #remember({ method, params }: Line): void {
    const { item, threadId = "" } = params ?? {};
    if (method !== "item/completed" || item === undefined) return;
    if (item.type === "subAgentActivity" && item.agentPath !== undefined) {
      if (item.kind === "started") this.#agents.set(item.agentPath, false);
      if (item.kind === "completed") this.#agents.set(item.agentPath, true);
    }
    const marks = marksIn(item);
    const known = this.#reported.get(threadId) ?? new Set();
    this.#reported.set(threadId, known);
    for (const mark of marks) known.add(`${item.type} ${mark}`);
  }

  /** Everything that clients received as completed is in the threads as they are read now. */
  async #checkItems(server: AgentServer): Promise<void> {
    for (const [threadId, marks] of this.#reported) {
      const answer = await server.request("thread/read", { threadId, includeTurns: true });
      const items = (answer?.result?.thread?.turns ?? []).flatMap((turn) => turn.items) as {
        type: string;
      }[];
      const found = new Set(
        items.flatMap((item) => marksIn(item).map((mark) => `${item.type} ${mark}`)),
      );
      for (const mark of marks) {
        if (found.has(mark)) this.#report.items++;
        else this.#problem(`reported in ${threadId}, but not recorded: ${mark}`);
      }
    }
  }

  /** Reads in the last request of the root what it knows of the agents of all servers so far. */
  #checkTold({ requests }: ScriptedServer): void {
    const inputs = requests.map(({ body }) => (body as { input: { type: string }[] }).input);
    const last = inputs.findLast((input) => JSON.stringify(input).includes("Use agents <"));
    if (last === undefined) return;
    const mail = JSON.stringify(last.filter(({ type }) => type === "agent_message"));
    const lostTexts = [...JSON.stringify(last).matchAll(/their last turn is lost: ([^.]*)\./g)];
    const lost = lostTexts.flatMap(([, paths = ""]) => paths.split(", "));
    for (const path of new Set(lost)) {
      const times = lost.filter((one) => one === path).length;
      if (times > 1) this.#problem(`the root was told ${times} times that ${path} is lost`);
      if (this.#agents.get(path) === true) this.#problem(`${path} completed, but is called lost`);
      this.#told.set(path, "lost");
    }
    for (const path of this.#agents.keys()) {
      const name = path.slice("/root/".length);
      const answers = mail.split(`Answer <${name}.answer>`).length - 1;
      if (answers > 1) this.#problem(`the root got the answer of ${path} ${answers} times`);
      if (answers === 1 && this.#told.get(path) === "lost") {
        this.#problem(`${path} is called lost and has answered`);
      }
      if (answers === 1) this.#told.set(path, "answered");
    }
  }

  /** Every command ran at most once. */
  #checkCounters(): void {
    const folder = join(this.#place.workspace, "counters");
    for (const name of readdirSync(folder)) {
      const { size } = statSync(join(folder, name));
      this.#report.commands++;
      if (size !== 1) this.#problem(`the command ${name} ran ${size} times`);
    }
    const last = `${this.#name}p${this.#processes - 1}`;
    for (const who of ["root", ...agentNames(last)]) {
      for (let n = 0; n < 4; n++) {
        const name = `${last}-${who}-${n}`;
        if (!readdirSync(folder).includes(name)) this.#problem(`the command ${name} did not run`);
      }
    }
  }

  #problem(text: string): void {
    this.#report.problems.push(`${this.#name} (${this.#place.root}): ${text}`);
  }
}

/** Marks of our commands and messages in an item. */
function marksIn(item: object): string[] {
  const text = JSON.stringify(item);
  return [...new Set([...text.matchAll(/<[\w-]+\.\w+>|counters\/[\w-]+/g)].map(([mark]) => mark))];
}

/** About as many lines as the server writes from the first agent to the end of the turn. */
const linesPerTurn = 150;
