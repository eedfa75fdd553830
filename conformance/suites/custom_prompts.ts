import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
  expandPrompt,
  type PromptArgument,
  parseNamedArguments,
  parsePromptCall,
  promptArgumentNames,
  readCustomPrompts,
  splitArguments,
} from "../../src/project/index.js";
import type { TextElement } from "../../src/protocol/types.js";
import { CannotRun, type SuiteAdapter, type SuiteCase } from "../suite.js";
import { type CaseFiles, inFolder, writeCaseFiles } from "./case-files.js";

/** Saved prompts: finding them, and filling in their arguments. */
export const suite: SuiteAdapter = {
  name: "custom_prompts",
  async run(testCase, { dir }) {
    const promptCase = testCase as PromptCase;
    if (testCase.kind === "expand") return compareExpanded(promptCase);
    const found = await look(promptCase, dir);
    const expected = promptCase.expect_names ?? promptCase.expect;
    return isDeepStrictEqual(found, expected) ? undefined : JSON.stringify(found);
  },
};

interface PromptCase extends SuiteCase {
  files?: CaseFiles | null;
  /** Links by name; their targets are files of the case. */
  symlinks?: Record<string, string>;
  exclude?: string[];
  expect_names?: string[];
  file: string;
  text: string;
  prompt_name: string;
  content: string;
  line: string;
  args: string;
  elements?: { start: number; end: number }[];
  expect: { text?: string; error_contains?: string[]; error_contains_ci?: string[] };
}

async function look(promptCase: PromptCase, dir: string): Promise<unknown> {
  const elements = promptCase.elements?.map((byte_range) => ({ byte_range })) ?? [];
  switch (promptCase.kind) {
    case "discover":
      return discover(promptCase, dir);
    case "parse_frontmatter":
    case "frontmatter": {
      const { file = "prompt.md", text } = promptCase;
      await writeCaseFiles(join(dir, "prompts"), { [file]: text });
      const [prompt] = await readCustomPrompts({ home: dir });
      const found: Record<string, unknown> = { ...prompt, body: prompt?.content };
      const fields = Object.keys(promptCase.expect);
      return Object.fromEntries(fields.map((field) => [field, found[field] ?? null]));
    }
    case "argument_names":
      return promptArgumentNames(promptCase.content);
    case "positional_args":
      return positionalWords(promptCase, elements)?.map(({ text }) => text);
    case "key_value_args":
    case "named_args": {
      const { words = [] } = splitArguments(promptCase.args, elements);
      const { values } = parseNamedArguments(words);
      return Object.fromEntries([...(values ?? [])].map(([key, { text }]) => [key, text]));
    }
    default:
      throw new CannotRun(`unknown kind ${promptCase.kind}`);
  }
}

/** A line may be indented, and may call another prompt. */
function positionalWords(
  { args, line, prompt_name }: PromptCase,
  elements: readonly TextElement[],
): PromptArgument[] | undefined {
  if (line === undefined) return splitArguments(args, elements).words;
  const text = line.trimStart();
  const indent = Buffer.byteLength(line) - Buffer.byteLength(text);
  const moved = elements.map(({ byte_range: { start, end } }) => ({
    byte_range: { start: start - indent, end: end - indent },
  }));
  const call = parsePromptCall(text, moved);
  return call?.name === prompt_name ? (call.words ?? []) : [];
}

async function discover({ files, symlinks, exclude }: PromptCase, dir: string): Promise<string[]> {
  const folder = join(dir, "prompts");
  for (const [name, content] of Object.entries(files ?? {})) {
    if (name.endsWith("/")) await mkdir(inFolder(folder, name), { recursive: true });
    else await writeCaseFiles(folder, { [name]: content });
  }
  for (const [name, target] of Object.entries(symlinks ?? {})) {
    await symlink(inFolder(folder, target), inFolder(folder, name));
  }
  const prompts = await readCustomPrompts({ home: dir, exclude: new Set(exclude) });
  return prompts.map(({ name }) => name);
}

function compareExpanded({ prompt_name, content, line, elements, expect }: PromptCase) {
  const prompts = [{ name: prompt_name, path: `/prompts/${prompt_name}.md`, content }];
  const ranges = elements?.map((byte_range) => ({ byte_range }));
  const found = expandPrompt(line, prompts, ranges);
  const problem = found?.problem ?? "";
  const parts = [
    ...(expect?.error_contains ?? []).map((part) => problem.includes(part)),
    ...(expect?.error_contains_ci ?? []).map((part) =>
      problem.toLowerCase().includes(part.toLowerCase()),
    ),
    (found?.text ?? null) === (expect?.text ?? null),
  ];
  return parts.every(Boolean) ? undefined : JSON.stringify(found);
}
