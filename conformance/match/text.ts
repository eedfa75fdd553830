import { createHash } from "node:crypto";
import type { Bindings } from "./bindings.js";
import { fillPlaces, type Places } from "./places.js";

/** Context for matching texts and values. */
export interface MatchContext {
  bindings: Bindings;
  places: Places;
  /** The recorded server's version: its place may hold any other. */
  version: string;
}

/** Returns true if a text matches the template, and binds the numbered placeholders in it. */
export function matchText(
  template: string,
  actual: string,
  context: MatchContext,
  key = "",
): boolean {
  const filled = fillPlaces(template, context.places);
  if (filled === actual) return true;
  const cut = /<CUT \d+ of \d+ chars, sha256 ([0-9a-f]+)>/.exec(filled);
  if (cut?.[1]) return createHash("sha256").update(actual).digest("hex").startsWith(cut[1]);
  const pattern = compile(withFreeCounts(filled, template), context);
  const match = pattern.regexp.exec(pattern.prose.size > 0 ? actual.trim() : actual);
  if (!match) return false;
  for (const [name, needles] of pattern.prose) {
    if (!needles.every((needle) => match.groups?.[name]?.includes(needle))) return false;
  }
  for (const [name, group] of pattern.names) {
    if (!context.bindings.bind(name, match.groups?.[group] ?? "")) return false;
  }
  if (pattern.anonymous) context.bindings.remember(key, template, actual);
  return true;
}

/** The number of tokens of an output depends on the length of the folders' names in it. */
function withFreeCounts(given: string, template: string): string {
  // The duration of a shell command of the user was recorded as 0.
  const filled = given.replace("\nDuration: 0 seconds\n", "\nDuration: <MS> seconds\n");
  if (!/<(WORKSPACE|CODEX_HOME|HOME)>/.test(template)) return filled;
  return filled.replace(/(Original token count: )\d+/, "$1<N>");
}

/** Placeholders that match any text of a format. */
const FORMS: Record<string, string> = {
  TIME: "[0-9][0-9T:.,Z+_-]*",
  DATE: "\\d{4}-\\d{2}-\\d{2}",
  YYYY: "\\d{4}",
  MM: "\\d{2}",
  DD: "\\d{2}",
  TZ: "[^<]+",
  OS: ".+?",
  TERM: "\\S+",
  HOSTNAME: ".+?",
  RANDOM: "[^&\\s]+",
  HASH: "[0-9a-f]+",
  N: "[0-9a-f]+",
  MS: "[0-9.]+",
  DELAY: "[0-9.]+\\s?(?:ns|µs|us|ms|s)",
};

const NUMBERED: Record<string, string> = {
  UUID: "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}",
  PID: "[0-9]+",
  HASH: "[0-9a-f]+",
  NICKNAME: '[^\\s"<>]+',
};

const PLACEHOLDER =
  /<(?:(UUID|PID|HASH|NICKNAME)-(\d+)|(TIME|DATE|YYYY|MM|DD|TZ|OS|TERM|HOSTNAME|RANDOM|HASH|N|MS|DELAY)|(prose))>(\[contains: (?:"(?:[^"\\]|\\.)*"(?:, )?)+\])?/g;

/** Marks the position of prose: the recorder included the blank space around it. */
const BLANK = "\\s*";

interface Pattern {
  regexp: RegExp;
  /** Groups that contain the reference's own prose, and the required parts of it. */
  prose: Map<string, string[]>;
  /** Numbered placeholders and their groups. */
  names: Map<string, string>;
  anonymous: boolean;
}

function compile(template: string, context: MatchContext): Pattern {
  const pattern: Pattern = { regexp: /^/, prose: new Map(), names: new Map(), anonymous: false };
  let source = "";
  let end = 0;
  for (const hit of template.matchAll(PLACEHOLDER)) {
    source += literal(template.slice(end, hit.index), context.version);
    source += placeholder(hit, pattern, context.bindings);
    // A list of contained texts belongs to prose only; elsewhere it is text like any other.
    end = hit.index + hit[0].length - (hit[4] ? 0 : (hit[5]?.length ?? 0));
  }
  source += literal(template.slice(end), context.version);
  pattern.regexp = new RegExp(`^${source.replace(/\s*\\s\*\s*/g, BLANK)}$`, "s");
  return pattern;
}

function placeholder(hit: RegExpMatchArray, pattern: Pattern, bindings: Bindings): string {
  const [, family, number, form, prose, contains] = hit;
  if (family) return numbered(family, `${family}-${number}`, pattern, bindings);
  if (prose) {
    const group = `prose${pattern.prose.size}`;
    pattern.prose.set(group, neededTexts(contains));
    return `${BLANK}(?<${group}>.*)${BLANK}`;
  }
  pattern.anonymous = true;
  return FORMS[form ?? ""] ?? "";
}

function numbered(family: string, name: string, pattern: Pattern, bindings: Bindings): string {
  const bound = bindings.get(name);
  if (bound !== undefined) return escapeRegExp(bound);
  const known = pattern.names.get(name);
  if (known) return `\\k<${known}>`;
  const group = `name${pattern.names.size}`;
  pattern.names.set(name, group);
  return `(?<${group}>${NUMBERED[family]})`;
}

/** Single words are left out: the reference's prompts contain "first" or "next" by chance. */
function neededTexts(contains: string | undefined): string[] {
  if (!contains) return [];
  const list = JSON.parse(`[${contains.slice("[contains: ".length, -1)}]`) as string[];
  return list.filter((text) => text.includes(" "));
}

/** Times and process ids inside texts were recorded as 0, and versions and commits are the recorder's own. */
function literal(text: string, version: string): string {
  const escaped = escapeRegExp(text)
    .replace(/(duration_seconds\\*":)0(?![.\d])/g, "$1[0-9.]+")
    .replace(/(session_id\\*":)0(?!\d)/g, "$1\\d+")
    .replace(/(Wall time: )0(?= seconds)/g, "$1[0-9.]+")
    .replace(/(Wall time )0\\\.0(?= seconds)/g, "$1[0-9.]+")
    .replace(/(\\?"wall_time_seconds\\?":)0/g, "$1[0-9.]+")
    .replace(/(latest_git_commit_hash\\*":\\*")[0-9a-f]{40}/g, "$1[0-9a-f]{40}");
  return version === ""
    ? escaped
    : escaped.replaceAll(escapeRegExp(version), "\\d+\\.\\d+\\.\\d+[\\w.+-]*");
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
