import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  checkScript,
  listenScriptedModel,
  type RecordedRequest,
} from "../../src/model/scripted/index.js";
import type { Event, RolloutLine } from "../../src/protocol/types.js";
import { CannotRun } from "../suite.js";
import { CaseBindings } from "./bindings.js";
import { type ScenarioEngine, shellName, startEngine } from "./engine.js";
import { forkRollout } from "./fork.js";
import type { Scenario, ScenarioStep } from "./scenario.js";
import { type Place, preparePlace, toConfigureOp } from "./settings.js";

/** Outcome of a scenario. */
export interface ScenarioRun {
  place: Place;
  bindings: CaseBindings;
  /** Requests to the model. */
  requests: readonly RecordedRequest[];
  /** The conversation that each request belongs to, by its id. */
  conversations: readonly string[];
  events: readonly Event[];
  /** Path and lines of the last conversation's rollout. */
  rolloutPath: string;
  rollout: readonly RolloutLine[];
}

/** Runs a scenario on a real engine with a scripted model; all that it writes is in `dir`. */
export async function runScenario(scenario: Scenario, dir: string): Promise<ScenarioRun> {
  const place = await preparePlace(scenario, dir);
  const bindings = new CaseBindings(dir);
  bindings.set("CWD", place.workspace);
  bindings.set("CODEX_HOME", place.home);
  bindings.set("SHELL_NAME", shellName);
  const script = checkScript(bindings.fill(scenario.model_turns ?? []));
  await using model = await listenScriptedModel({ script });
  const player = new Player(scenario, { place, bindings, modelUrl: new URL(model.baseUrl).origin });
  await player.start();
  try {
    for (const step of scenario.steps ?? []) {
      await player.play(step);
      player.attribute(model.requests.length);
    }
  } finally {
    await player.end();
  }
  const { rolloutPath } = player;
  return {
    place,
    bindings,
    requests: model.requests,
    conversations: player.conversations,
    events: player.events,
    rolloutPath,
    rollout: await readRolloutLines(rolloutPath),
  };
}

/** The lines of a rollout; none where there is no file. */
export async function readRolloutLines(path: string): Promise<RolloutLine[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as RolloutLine);
}

/** Does the steps of a scenario, with one engine after the other. */
class Player {
  readonly events: Event[] = [];
  readonly conversations: string[] = [];
  rolloutPath = "";
  #scenario: Scenario;
  #place: Place;
  #bindings: CaseBindings;
  #modelUrl: string;
  #engine: ScenarioEngine | undefined;

  constructor(
    scenario: Scenario,
    { place, bindings, modelUrl }: { place: Place; bindings: CaseBindings; modelUrl: string },
  ) {
    this.#scenario = scenario;
    this.#place = place;
    this.#bindings = bindings;
    this.#modelUrl = modelUrl;
  }

  async start(): Promise<void> {
    const { resume_lines } = this.#scenario;
    if (resume_lines === undefined) return this.#open(undefined);
    const path = join(
      this.#place.home,
      "sessions/2024/01/01/rollout-2024-01-01T00-00-00-old.jsonl",
    );
    await mkdir(dirname(path), { recursive: true });
    const lines = this.#bindings.fill(resume_lines) as unknown[];
    await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    await this.#open(path);
  }

  async play({ op, wait, resume, fork, ...others }: ScenarioStep): Promise<void> {
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) throw new CannotRun(`unknown step ${unknown}`);
    if (resume) await this.#goOn((path) => path);
    if (fork) await this.#goOn((path) => forkRollout(path, fork.nth_user_message, this.#place));
    if (op !== undefined) this.#engine?.submit(this.#bindings.fill(op));
    for (const type of [wait ?? []].flat()) await this.#engine?.until(type);
  }

  /** Records that the requests up to this number belong to the current conversation. */
  attribute(count: number): void {
    const id = this.#engine?.configured.session_id ?? "";
    while (this.conversations.length < count) this.conversations.push(id);
  }

  async end(): Promise<void> {
    const engine = this.#engine;
    this.#engine = undefined;
    if (engine === undefined) return;
    this.events.push(...engine.events);
    await engine.close();
  }

  async #goOn(next: (path: string) => string | Promise<string>): Promise<void> {
    await this.end();
    await this.#open(await next(this.rolloutPath));
  }

  async #open(path: string | undefined): Promise<void> {
    const configure = toConfigureOp(this.#scenario.config, this.#place, this.#modelUrl);
    const resume = path === undefined ? {} : { resume_path: path };
    this.#engine = await startEngine(this.#place, { ...configure, ...resume });
    const { session_id, rollout_path } = this.#engine.configured;
    this.rolloutPath = rollout_path;
    this.#bindings.set("CONVERSATION_ID", session_id);
    this.#bindings.set("ROLLOUT", rollout_path);
  }
}
