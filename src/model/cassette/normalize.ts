import { createHash } from "node:crypto";
import { isRecord, parseRecord } from "../../protocol/read/check.js";
import type { ModelRequest } from "../transport.js";

/** Settings of a normalizer. */
export interface NormalizerOptions {
  /** Folders by the name of their placeholder; the working folder of a request is found in it. */
  folders: Readonly<Record<string, string>>;
  /** Replaces secrets in a text. */
  redact(text: string): string;
}

/** A request without the parts that differ from run to run. */
export interface NormalRequest {
  /** The end of its path, such as `responses`; servers and logins have different paths before it. */
  api: string;
  body: unknown;
  /** Hash of both. */
  key: string;
  /** Fills and recognizes the values of this run in the text of the response. */
  values: RunValues;
}

/**
 * Normalizes requests, so that those of two runs can be compared.
 *
 * Placeholders replace ids, times, durations and folders; secrets are redacted. The metadata for the provider, which repeats
 * them, is omitted.
 */
export class RequestNormalizer {
  readonly #folders: Readonly<Record<string, string>>;
  readonly #redact: (text: string) => string;

  constructor({ folders, redact }: NormalizerOptions) {
    this.#folders = folders;
    this.#redact = redact;
  }

  normalize({ url, body }: Pick<ModelRequest, "url" | "body">): NormalRequest {
    const text = body.toString();
    const values = new RunValues({ ...this.#folders, ...workingFolder(text) });
    const api = values.hide(apiOf(url));
    const normal = this.#normal(parseRecord(text) ?? text, values);
    return { api, body: normal, key: keyOf(api, normal), values };
  }

  /** Returns a text of a response without secrets and values of this run. */
  hide(text: string, values: RunValues): string {
    return this.#redact(values.hide(text));
  }

  #normal(value: unknown, values: RunValues): unknown {
    if (typeof value === "string") return this.#redact(values.number(withoutTimes(value)));
    if (typeof value === "number") return isTime(value) ? "{{time}}" : value;
    if (Array.isArray(value)) return value.map((one) => this.#normal(one, values));
    if (!isRecord(value)) return value;
    const names = Object.keys(value).filter((name) => name !== "client_metadata");
    return Object.fromEntries(
      names.sort().map((name) => [name, this.#normal(value[name], values)]),
    );
  }
}

/** The folders and ids of one request, and their placeholders. */
export class RunValues {
  readonly #folders: readonly { name: string; path: string; pattern: RegExp }[];
  readonly #ids: string[] = [];

  constructor(folders: Readonly<Record<string, string>>) {
    this.#folders = Object.entries(folders)
      .filter(([, path]) => path.length > 1)
      .sort(([, one], [, other]) => other.length - one.length)
      .map(([name, path]) => ({ name, path, pattern: pathPattern(path) }));
  }

  /** Replaces the values, and numbers ids in the order of their first use. */
  number(text: string): string {
    return this.#replace(text, (id) => {
      if (!this.#ids.includes(id)) this.#ids.push(id);
      return `{{id-${this.#ids.indexOf(id) + 1}}}`;
    });
  }

  /** Replaces the values of the request in another text; other ids stay. */
  hide(text: string): string {
    return this.#replace(text, (id) => {
      const index = this.#ids.indexOf(id);
      return index < 0 ? id : `{{id-${index + 1}}}`;
    });
  }

  /** Replaces the placeholders by the values of this run. */
  fill(text: string): string {
    return text.replace(/\{\{(?:id-(\d+)|(\w+))\}\}/g, (whole, number, name) => {
      if (number !== undefined) return this.#ids[Number(number) - 1] ?? whole;
      return this.#folders.find((folder) => folder.name === name)?.path ?? whole;
    });
  }

  #replace(text: string, toPlaceholder: (id: string) => string): string {
    let replaced = text;
    for (const { name, pattern } of this.#folders)
      replaced = replaced.replace(pattern, `{{${name}}}`);
    return replaced.replace(uuidPattern, toPlaceholder);
  }
}

/** Returns the hash of a normalized request. */
function keyOf(api: string, body: unknown): string {
  return createHash("sha256")
    .update(`${api}\n${JSON.stringify(body)}`)
    .digest("hex")
    .slice(0, 32);
}

const uuidPattern = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** A longer name that starts with the path is another folder. */
function pathPattern(path: string): RegExp {
  return new RegExp(`${path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-])`, "g");
}

function withoutTimes(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g, "{{time}}")
    .replace(/(<current_date>)[^<]*/g, "$1{{date}}")
    .replace(/(Wall time:? )[\d.]+/g, "$1{{seconds}}")
    .replace(/(timed out after |aborted by user after )[\d.]+/g, "$1{{duration}}")
    .replace(/("nickname":")[^"\\]*/g, "$1{{nickname}}")
    .replace(/("(?:duration|wall_time)_seconds":)[\d.e-]+/g, "$1{{seconds}}")
    .replace(/(Chunk ID: |"chunk_id":")[0-9a-f]+/g, "$1{{chunk}}")
    .replace(/(session ID )\d+/g, "$1{{session}}");
}

/** Returns true for milliseconds since 1970 of this century. */
function isTime(value: number): boolean {
  return Number.isInteger(value) && value > 946_684_800_000 && value < 4_102_444_800_000;
}

/** Returns the working folder that the request names. */
function workingFolder(body: string): { cwd?: string } {
  const found = /<cwd>([^<"\\]+)<\/cwd>/.exec(body)?.[1];
  return found === undefined ? {} : { cwd: found };
}

/** Returns the part of the path that names the operation. */
export function apiOf(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : url;
  return (
    /(?:responses(?:\/compact)?|chat\/completions|messages|models\/[^/]+)$/.exec(path)?.[0] ?? path
  );
}
