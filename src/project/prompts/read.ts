import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readFileHead } from "../../lib/files.js";
import type { CustomPrompt } from "../../protocol/types.js";

/** Which saved prompts are looked for. */
export interface PromptSources {
  /** The folder of the user's settings; prompts are in its `prompts`. */
  home: string;
  /** Names that mean something else, such as built-in commands. */
  exclude?: ReadonlySet<string> | undefined;
  /** Whether the head of a file is read; else it is part of the prompt, as it was in 2025. */
  frontMatter?: boolean | undefined;
}

/** The prompts that the user has saved, by name; files that are no text are passed over. */
export async function readCustomPrompts(sources: PromptSources): Promise<CustomPrompt[]> {
  const { home, exclude, frontMatter = true } = sources;
  const folder = join(home, "prompts");
  const files = await readdir(folder).catch(() => []);
  const prompts: CustomPrompt[] = [];
  for (const file of files.sort()) {
    const name = /^(.+)\.md$/i.exec(file)?.[1];
    if (name === undefined || exclude?.has(name)) continue;
    const path = join(folder, file);
    const text = readText(path);
    if (text === undefined) continue;
    prompts.push({ name, path, ...(frontMatter ? parsePromptFile(text) : { content: text }) });
  }
  return prompts.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

const maxPromptBytes = 1024 * 1024;

function readText(path: string): string | undefined {
  const head = readFileHead(path, maxPromptBytes);
  if (head.problem !== undefined || !head.whole) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(head.bytes);
  } catch {
    return undefined;
  }
}

/**
 * Takes a prompt's file apart: what stands between two `---` at its head, and the prompt itself.
 *
 * Not YAML, for people write things such as `argument-hint: [file] [priority]` without quotes there.
 * A head that is not closed is part of the prompt.
 */
function parsePromptFile(
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
