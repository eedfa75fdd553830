import { createRequire } from "node:module";
import type { AnyMessage } from "@agentclientprotocol/sdk";
import { Ajv2020 } from "ajv/dist/2020.js";

const load = createRequire(import.meta.url);
const stable = load("@agentclientprotocol/sdk/schema/v1/schema.json") as Schema;
const unstable = load("@agentclientprotocol/sdk/schema/v1/schema.unstable.json") as Schema;

interface Schema {
  $defs: Record<string, { "x-method"?: string }>;
}

type Kind = "Request" | "Response" | "Notification";

/** Checks every message of an agent against the JSON Schema of the protocol. */
export class AcpSchema {
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  readonly #methods = new Map<unknown, string>();
  /** Mistakes of the agent. */
  readonly problems: string[] = [];

  constructor() {
    this.#ajv.addSchema(stable, "stable").addSchema(unstable, "unstable");
  }

  /** Remembers the method of a request to the agent. */
  sent(message: AnyMessage): void {
    if ("method" in message && "id" in message) this.#methods.set(message.id, message.method);
  }

  received(message: AnyMessage): void {
    if ("method" in message) {
      const isRequest = "id" in message && message.id !== undefined;
      if (message.method === "$/cancel_request") return;
      this.#check(message.method, isRequest ? "Request" : "Notification", message.params);
    } else if ("result" in message) {
      this.#check(this.#methods.get(message.id) ?? "", "Response", message.result);
    }
  }

  #check(method: string, kind: Kind, value: unknown): void {
    const [file, name] = [
      ["stable", nameOf(stable, method, kind)],
      ["unstable", nameOf(unstable, method, kind)],
    ].find(([, found]) => found !== undefined) ?? ["", undefined];
    if (name === undefined) {
      this.problems.push(`${method} has no ${kind} in the schema`);
      return;
    }
    const check = this.#ajv.getSchema(`${file}#/$defs/${name}`);
    if (check?.(value) === true) return;
    const shown = JSON.stringify(value)?.slice(0, 500);
    this.problems.push(`${method} ${kind}: ${this.#ajv.errorsText(check?.errors)} in ${shown}`);
  }
}

function nameOf({ $defs }: Schema, method: string, kind: Kind): string | undefined {
  const isOf = ([name, schema]: [string, { "x-method"?: string }]) =>
    schema["x-method"] === method && name.endsWith(kind);
  return Object.entries($defs).find(isOf)?.[0];
}
