import { createRedactor, variableSecrets } from "../lib/redact.js";
import type { ContentSettings, TelemetrySettings } from "./settings.js";
import type { Variables } from "./variables.js";

/**
 * Content that the user has enabled for telemetry, without known secrets.
 *
 * Each method returns undefined if its kind of content is not enabled.
 */
export class Content {
  readonly #settings: ContentSettings;
  readonly #redact: (text: string) => string;

  constructor(settings: TelemetrySettings, env: Variables) {
    this.#settings = settings.content;
    this.#redact = createRedactor([...variableSecrets(env), ...headerSecrets(settings)]);
  }

  prompt(text: string): string | undefined {
    return this.#settings.prompts ? this.#redact(text) : undefined;
  }

  response(text: string): string | undefined {
    return this.#settings.responses ? this.#redact(text) : undefined;
  }

  assessment(text: string): string | undefined {
    return this.#settings.assessments ? this.#redact(text) : undefined;
  }

  /** Arguments or output of a tool. */
  tool(text: string): string | undefined {
    const { toolBytes } = this.#settings;
    return toolBytes === undefined ? undefined : cut(this.#redact(text), toolBytes);
  }
}

/** Messages of one text, in the format of the GenAI conventions. */
export function toMessages(role: "user" | "assistant", content: string): string {
  return JSON.stringify([{ role, parts: [{ type: "text", content }] }]);
}

function headerSecrets({ traces, metrics, logs }: TelemetrySettings): string[] {
  return [traces, metrics, logs].flatMap((exporter) => Object.values(exporter?.headers ?? {}));
}

/** Cuts a text to a number of bytes, not within a character; 0: not at all. */
function cut(text: string, bytes: number): string {
  if (bytes === 0 || Buffer.byteLength(text) <= bytes) return text;
  return Buffer.from(text)
    .subarray(0, bytes)
    .toString("utf8")
    .replace(/\ufffd+$/, "");
}
