import { spellHidden } from "../lib/hidden-characters.js";
import type { Entry } from "./entry.js";

/** Longest body in a line of the trace. */
const maxBodyChars = 400;

/** Formats an entry for people: a line, and one for each problem and note. */
export function toTraceText(entry: Entry): string {
  const { from, connection, problems, notes, ms } = entry;
  const arrow = from === "client" ? "→" : "←";
  const client = connection === undefined ? "" : `#${connection} `;
  const time = (ms / 1000).toFixed(3).padStart(9);
  const lines = [
    `${time} ${client}${arrow} ${headOf(entry)}${bodyOf(entry)}`,
    ...problems.map((text) => `${margin}✗ ${spellHidden(oneLine(text))}`),
    ...notes.map((text) => `${margin}· ${spellHidden(oneLine(text))}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** Formats an entry as a line of JSON. */
export function toTraceJson(entry: Entry): string {
  return `${JSON.stringify(entry)}\n`;
}

const margin = " ".repeat(12);

function headOf({ kind, id, method = "", tookMs }: Entry): string {
  const number = id === undefined ? "" : `${JSON.stringify(id)} `;
  const name = spellHidden(oneLine(method));
  switch (kind) {
    case "request":
    case "notification":
      return `${number}${name}`;
    case "result":
    case "error": {
      const took = tookMs === undefined ? "" : ` after ${Math.round(tookMs)} ms`;
      return `${number}${name === "" ? "" : `${name} `}${kind}${took}`;
    }
    case "unreadable":
      return `${number}unreadable`;
  }
}

function bodyOf({ body, bytes, kind }: Entry): string {
  if (body === undefined) return kind === "unreadable" ? ` (${bytes} bytes)` : "";
  // What is cut anyway need not be escaped.
  const text = spellHidden((JSON.stringify(body) ?? "").slice(0, maxBodyChars + 1));
  if (text.length <= maxBodyChars) return ` ${text}`;
  return ` ${text.slice(0, maxBodyChars)}… (${bytes} bytes)`;
}

function oneLine(text: string): string {
  return text.replaceAll("\n", "\\n").replaceAll("\t", " ").slice(0, maxBodyChars);
}
