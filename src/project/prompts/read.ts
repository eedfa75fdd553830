import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readFileHead } from "../../lib/read-file-head.js";
import type { CustomPrompt } from "../../protocol/types.js";
import { parsePromptFile } from "./front-matter.js";

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
