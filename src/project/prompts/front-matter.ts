import type { CustomPrompt } from "../../protocol/types.js";

/**
 * Takes a prompt's file apart: what stands between two `---` at its head, and the prompt itself.
 *
 * Not YAML, for people write things such as `argument-hint: [file] [priority]` without quotes there.
 * A head that is not closed is part of the prompt.
 */
export function parsePromptFile(
  text: string,
): Pick<CustomPrompt, "content" | "description" | "argument_hint"> {
  const lines = text.split(/(?<=\n)/);
  const end = lines.findIndex((line, index) => index > 0 && isFence(line));
  if (!isFence(lines[0] ?? "") || end < 0) return { content: text };
  const fields = new Map<string, string>();
  for (const line of lines.slice(1, end)) {
    const [, key, value] = /^\s*([^#:\s][^:]*?)\s*:(.*)$/.exec(line.trim()) ?? [];
    if (key === undefined || value === undefined) continue;
    fields.set(key.toLowerCase().replaceAll("_", "-"), withoutQuotes(value.trim()));
  }
  const description = fields.get("description");
  const hint = fields.get("argument-hint");
  return {
    content: lines.slice(end + 1).join(""),
    ...(description === undefined ? {} : { description }),
    ...(hint === undefined ? {} : { argument_hint: hint }),
  };
}

function isFence(line: string): boolean {
  return line.trim() === "---";
}

function withoutQuotes(value: string): string {
  return /^(["'])[\s\S]*\1$/.test(value) && value.length >= 2 ? value.slice(1, -1) : value;
}
