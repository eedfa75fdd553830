import { asString } from "../../lib/text.js";
import { isRecord, parseRecord } from "../../protocol/read/check.js";
import { type BuiltAnswer, buildAnswer, refuse } from "./build-answer.js";
import { checkScript } from "./check-script.js";
import type { Answer, Script, ScriptObject } from "./script.js";

/** Plays a script: one answer per request, in order. */
export class ScriptPlayer {
  #script: ScriptObject;
  #built = new Map<number, BuiltAnswer>();
  #asked = 0;
  /** Players of the helper agents, created with their first request. */
  readonly #agents = new Map<string, ScriptPlayer>();
  /** Number of the first answer, so that ids of agents differ. */
  readonly #first: number;

  constructor(script: Script, first = 0) {
    const checked = checkScript(script);
    this.#script = isList(checked) ? { answers: checked } : checked;
    this.#first = first;
  }

  /** Number of requests so far. */
  get asked(): number {
    return this.#asked;
  }

  /** Returns the answer to the next request. `body` is called only if the answer depends on it. */
  next(body: () => string): BuiltAnswer {
    const agent = this.#script.agents === undefined ? undefined : this.#agentOf(body());
    if (agent !== undefined) return agent.next(body);
    const { answers, after } = this.#script;
    const number = this.#asked++;
    const index = after === "repeat" ? Math.min(number, answers.length - 1) : number;
    const answer = answers[index];
    if (answer === undefined) return this.#exhausted(number);
    if (this.#needsRequest(answer)) return this.#build(answer, index, body());
    let built = this.#built.get(index);
    if (built === undefined) {
      built = buildAnswer(answer, { response: this.#first + index });
      this.#built.set(index, built);
    }
    return built;
  }

  /** Returns the player of the helper agent that asks; undefined if it is not one. */
  #agentOf(body: string): ScriptPlayer | undefined {
    const name = agentName(body);
    if (name === undefined || name === "/root") return undefined;
    const { agents = {}, ...script } = this.#script;
    let player = this.#agents.get(name);
    if (player === undefined) {
      const answers = agents[name] ?? agents["*"] ?? [];
      player = new ScriptPlayer({ ...script, answers }, agentIds * (this.#agents.size + 1));
      this.#agents.set(name, player);
    }
    return player;
  }

  #needsRequest(answer: Answer): boolean {
    if (this.#script.echo_model) return true;
    return Array.isArray(answer) && answer.some((step) => "echo" in step);
  }

  #build(answer: Answer, index: number, body: string): BuiltAnswer {
    const request = parseRecord(body) ?? {};
    return buildAnswer(answer, {
      response: this.#first + index,
      userText: lastUserText(request.input),
      model: this.#script.echo_model ? asString(request.model) : undefined,
    });
  }

  /** A 400, because its text reaches the user at once; a 500 would be retried. */
  #exhausted(number: number): BuiltAnswer {
    const count = this.#script.answers.length;
    const message = `the script has ${count} answers, and this is request ${number + 1}`;
    return refuse(400, { error: { type: "script_exhausted", message } });
  }
}

/** Distance between the ids of two agents. */
const agentIds = 1000;

/** Returns the path of the agent that asks: the one that got the last task in its conversation. */
function agentName(body: string): string | undefined {
  const input = parseRecord(body)?.input;
  const items: unknown[] = Array.isArray(input) ? input : [];
  const task = items.findLast((item) => isRecord(item) && isTask(item));
  return isRecord(task) ? asString(task.recipient) : undefined;
}

function isTask({ type, content }: Record<string, unknown>): boolean {
  const [head] = Array.isArray(content) ? (content as unknown[]) : [];
  const text = isRecord(head) ? (asString(head.text) ?? "") : "";
  return type === "agent_message" && text.startsWith("Message Type: NEW_TASK");
}

function isList(script: Script): script is readonly Answer[] {
  return Array.isArray(script);
}

/** Returns the text of the last user message, in either format of the API. */
function lastUserText(input: unknown): string {
  if (typeof input === "string") return input;
  const items = Array.isArray(input) ? input : [];
  const message = items.findLast((item) => isRecord(item) && item.role === "user");
  if (typeof message?.content === "string") return message.content;
  const parts: unknown[] = Array.isArray(message?.content) ? message.content : [];
  return parts.map((part) => (isRecord(part) ? (asString(part.text) ?? "") : "")).join("");
}
