import type { ContentSettings, TelemetrySettings } from "./settings.js";
import type { Variables } from "./variables.js";

/**
 * Content that the user has enabled for telemetry, without known secrets.
 *
 * Each method returns undefined if its kind of content is not enabled.
 */
export class Content {
  readonly #settings: ContentSettings;
  readonly #secrets: readonly string[];

  constructor(settings: TelemetrySettings, env: Variables) {
    this.#settings = settings.content;
    this.#secrets = [...variableSecrets(env), ...headerSecrets(settings)];
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

  #redact(text: string): string {
    let redacted = text;
    for (const secret of this.#secrets) redacted = redacted.replaceAll(secret, mark);
    return redacted.replace(tokenPattern, mark);
  }
}

const mark = "[REDACTED]";

/** Keys and tokens that are known by their form. */
const tokenPattern =
  /\b(?:sk-[\w-]{16,}|gh[pousr]_\w{20,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,})/g;

/** Messages of one text, in the format of the GenAI conventions. */
export function toMessages(role: "user" | "assistant", content: string): string {
  return JSON.stringify([{ role, parts: [{ type: "text", content }] }]);
}

/** Values of variables with names of secrets; short ones could be words of any text. */
function variableSecrets(env: Variables): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    secretName.test(name) && value !== undefined && value.length >= 8 ? [value] : [],
  );
}

const secretName = /KEY|SECRET|TOKEN|PASSWORD|PASSWD|CREDENTIAL|OTLP_.*HEADERS/i;

function headerSecrets({ traces, metrics, logs }: TelemetrySettings): string[] {
  return [traces, metrics, logs]
    .flatMap((exporter) => Object.values(exporter?.headers ?? {}))
    .filter((value) => value.length >= 8);
}

/** Cuts a text to a number of bytes, not within a character; 0: not at all. */
function cut(text: string, bytes: number): string {
  if (bytes === 0 || Buffer.byteLength(text) <= bytes) return text;
  return Buffer.from(text)
    .subarray(0, bytes)
    .toString("utf8")
    .replace(/\ufffd+$/, "");
}
