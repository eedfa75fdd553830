import type { ThreadItem } from "../../protocol/rpc/v2/item.js";
import { readTurns } from "../../rollout/index.js";
import { FileFilter } from "./file-filter.js";
import { toRebuiltItem } from "./items.js";

/** A message of a turn that clients show. */
interface Message {
  turnId: string;
  itemId: string;
  isOfUser: boolean;
  text: string;
}

/** A place where a term occurs in a conversation. */
export interface Occurrence {
  turnId: string;
  itemId: string;
  snippet: string;
  /** In UTF-16 code units of the snippet. */
  range: { start: number; end: number };
}

/** A term that is searched for in many conversations; any case matches. */
export class SearchTerm {
  readonly #term: string;
  readonly #filter: FileFilter;

  constructor(term: string) {
    this.#term = term;
    this.#filter = new FileFilter(term);
  }

  /** Returns the first message of a conversation that contains the term, shortened. */
  async findSnippet(path: string): Promise<string | undefined> {
    const term = this.#term;
    if (!(await this.#filter.mayMatch(path))) return undefined;
    for (const { text } of await readMessages(path)) {
      const at = indexOfTerm(text, term);
      if (at < 0) continue;
      const { snippet } = cut(text, at, term.length);
      return snippet.replace(/\s+/g, " ").trim();
    }
    return undefined;
  }
}

/** Returns all places where a term occurs in the messages of a conversation; any case matches. */
export async function findOccurrences(path: string, term: string): Promise<Occurrence[]> {
  const found: Occurrence[] = [];
  for (const { turnId, itemId, isOfUser, text } of await readMessages(path)) {
    const visible = isOfUser ? text : plainText(text);
    for (let at = 0; ; at += term.length) {
      at = indexOfTerm(visible, term, at);
      if (at < 0) break;
      const { snippet, start } = cut(visible, at, term.length);
      found.push({ turnId, itemId, snippet, range: { start, end: start + term.length } });
    }
  }
  return found;
}

/** Returns the position of a term, whatever the case; lengths in the text stay those of the text. */
function indexOfTerm(text: string, term: string, from = 0): number {
  const [low, wanted] = [text.toLowerCase(), term.toLowerCase()];
  // A few letters change their length with their case; then only the exact spelling is found.
  const isSafe = low.length === text.length && wanted.length === term.length;
  return isSafe ? low.indexOf(wanted, from) : text.indexOf(term, from);
}

async function readMessages(path: string): Promise<Message[]> {
  const { turns } = await readTurns(path);
  return turns.flatMap(({ id: turnId, items }) =>
    items
      .filter(({ type }) => type === "UserMessage" || type === "AgentMessage")
      .flatMap(toRebuiltItem)
      .flatMap((item) => {
        const text = textOf(item);
        if (text === undefined) return [];
        return [{ turnId, itemId: item.id, isOfUser: item.type === "userMessage", text }];
      }),
  );
}

function textOf(item: ThreadItem): string | undefined {
  if (item.type === "agentMessage") return item.text;
  if (item.type !== "userMessage") return undefined;
  return item.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

/** Returns Markdown as readers see it, on one line. */
function plainText(markdown: string): string {
  return markdown
    .replace(/^[ \t]*(?:```|~~~).*$/gm, "")
    .replace(/^[ \t]*(?:#{1,6}|>|[-*+]|\d+[.)])[ \t]+/gm, "")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/(\*\*|__|~~|`)(.+?)\1/g, "$2")
    .replace(/(?<![\w*])\*(?=\S)(.+?)(?<=\S)\*(?![\w*])/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
}

const charsBefore = 48;
const charsAfter = 96;

/** Cuts a text around a match, at blanks where there are any. */
function cut(text: string, at: number, length: number): { snippet: string; start: number } {
  let from = Math.max(0, at - charsBefore);
  while (from > 0 && !isBlank(text[from])) from--;
  const matchEnd = at + length;
  let to = Math.min(text.length, matchEnd + charsAfter);
  if (to < text.length) while (to > matchEnd && !isBlank(text[to - 1])) to--;
  if (to === matchEnd) to = Math.min(text.length, matchEnd + charsAfter);
  const [head, tail] = [from > 0 ? "... " : "", to < text.length ? " ..." : ""];
  return { snippet: head + text.slice(from, to) + tail, start: head.length + at - from };
}

function isBlank(character: string | undefined): boolean {
  return character !== undefined && /\s/.test(character);
}
