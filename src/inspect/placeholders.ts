import { isRecord } from "../protocol/read/check.js";

/** Folders of the recorded program. */
export interface RecordedFolders {
  workspace: string;
  codexHome: string;
  home: string;
}

/**
 * Replaces what differs from run to run by the placeholders of traces: ids, folders, times, the system.
 *
 * Ids are numbered by their first use. One instance serves one trace.
 */
export class Placeholders {
  readonly #ids = new Map<string, string>();
  readonly #folders: readonly (readonly [RegExp, string])[];

  constructor({ workspace, codexHome, home }: RecordedFolders) {
    const named = [
      [workspace, "<WORKSPACE>"],
      [codexHome, "<CODEX_HOME>"],
      [home, "<HOME>"],
    ] as const;
    this.#folders = named
      .filter(([path]) => path.length > 1)
      .toSorted(([one], [other]) => other.length - one.length)
      .map(([path, name]) => [new RegExp(`${escapeRegExp(path)}(?![\\w-])`, "g"), name]);
  }

  /** Returns a message with placeholders. */
  of(value: unknown, key = ""): unknown {
    if (typeof value === "string") return this.text(value, key);
    if (typeof value === "number") return isTime(key) ? 0 : value;
    if (Array.isArray(value)) return value.map((one) => this.of(one, key));
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [this.text(name), this.of(inner, name)]),
    );
  }

  /** Returns a text with placeholders; `key` is the field that it is the value of. */
  text(given: string, key = ""): string {
    if (key === "serverName") return "<HOSTNAME>";
    let text = given;
    for (const [path, name] of this.#folders) text = text.replace(path, name);
    text = text
      .replace(/\/\d{4}\/\d{2}\/\d{2}\/rollout-[\dT:-]+-(?=[\da-f]{8}-)/g, rollout)
      .replace(uuid, (id) => this.#idOf(id))
      .replace(/\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z/g, "<TIME>");
    // Version, system and terminal, as in `name/0.104.0 (Debian 12.0.0; x86_64) xterm (client; 1.0)`.
    return /userAgent|user_agent/.test(key)
      ? text.replace(/^(\S+\/\S+) \([^)]*\) \S+/, "$1 (<OS>) <TERM>")
      : text;
  }

  #idOf(id: string): string {
    const known = this.#ids.get(id);
    if (known !== undefined) return known;
    const name = `<UUID-${this.#ids.size + 1}>`;
    this.#ids.set(id, name);
    return name;
  }
}

const uuid = /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi;
const rollout = "/<YYYY>/<MM>/<DD>/rollout-<TIME>-";

/** Fields whose numbers are times or durations, which traces have as 0. */
function isTime(key: string): boolean {
  return /^(secs|nanos|ts|duration|duration_?seconds|residentMemoryBytes|\w*(At|AtMs|_at|_ms|durationMs))$/i.test(
    key,
  );
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
