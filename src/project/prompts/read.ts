import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readFileHead } from "../../lib/files.js";
import type { CustomPrompt } from "../../protocol/types.js";

/** Options for reading saved prompts. */
export interface PromptSources {
  /** Config home; prompts are in its `prompts` folder. */
  home: string;
  /** Names to skip, such as built-in commands. */
  exclude?: ReadonlySet<string> | undefined;
  /** Parse the front matter; otherwise it is part of the prompt, as in 2025. Default: true. */
  frontMatter?: boolean | undefined;
}

/** Returns the saved prompts, sorted by name; files that are not UTF-8 text are skipped. */
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
 * Splits a prompt file into the front matter between two `---` lines and the prompt.
 *
 * Not parsed as YAML, because users write `argument-hint: [file] [priority]` without quotes.
 * Unclosed front matter is part of the prompt.
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
