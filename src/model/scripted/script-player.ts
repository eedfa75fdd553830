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

  constructor(script: Script) {
    const checked = checkScript(script);
    this.#script = isList(checked) ? { answers: checked } : checked;
  }

  /** Number of requests so far. */
  get asked(): number {
    return this.#asked;
  }

  /** Returns the answer to the next request. `body` is called only if the answer depends on it. */
  next(body: () => string): BuiltAnswer {
    const { answers, after } = this.#script;
    const number = this.#asked++;
    const index = after === "repeat" ? Math.min(number, answers.length - 1) : number;
    const answer = answers[index];
    if (answer === undefined) return this.#exhausted(number);
    if (this.#needsRequest(answer)) return this.#build(answer, index, body());
    let built = this.#built.get(index);
    if (built === undefined) {
      built = buildAnswer(answer, { response: index });
      this.#built.set(index, built);
    }
    return built;
  }

  #needsRequest(answer: Answer): boolean {
    if (this.#script.echo_model) return true;
    return Array.isArray(answer) && answer.some((step) => "echo" in step);
  }

  #build(answer: Answer, index: number, body: string): BuiltAnswer {
    const request = parseRecord(body) ?? {};
    return buildAnswer(answer, {
      response: index,
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
