import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { loadSkills, readUserInstructions } from "../../src/project/index.js";
import type { SuiteAdapter, SuiteCase } from "../suite.js";
import { type CaseFiles, writeCaseFiles } from "./case-files.js";

/** Instructions for the model from the user's home and the project's files. */
export const suite: SuiteAdapter = {
  name: "agents_md",
  async run(testCase, { dir }) {
    const docCase = testCase as DocCase;
    const base = await realpath(dir);
    const home = join(base, "home");
    const cwd = join(base, "project", docCase.cwd);
    await Promise.all([mkdir(home), mkdir(cwd, { recursive: true })]);
    await writeCaseFiles(join(base, "project"), docCase.files);
    await writeCaseFiles(home, docCase.home_files);
    if (docCase.config_instructions !== null) {
      await writeCaseFiles(home, { "AGENTS.md": docCase.config_instructions });
    }
    const { text } = await readUserInstructions({
      home,
      cwd,
      maxBytes: docCase.project_doc_max_bytes,
      fallbackFilenames: docCase.fallback_filenames,
      skills: docCase.home_files && (await loadSkills({ cwd, home })).skills,
    });
    return differ(docCase, text, home);
  },
};

interface DocCase extends SuiteCase {
  files: CaseFiles;
  home_files?: CaseFiles;
  cwd: string;
  project_doc_max_bytes: number;
  config_instructions: string | null;
  fallback_filenames?: string[];
  expect: string | null;
  expect_shape?: { starts_with?: string; contains_line?: string };
}

function differ({ expect, expect_shape: shape }: DocCase, text: string | undefined, home: string) {
  if (shape === undefined) return text === (expect ?? undefined) ? undefined : JSON.stringify(text);
  if (!text?.startsWith(shape.starts_with ?? "")) return `begins otherwise: ${text?.slice(0, 200)}`;
  const line = shape.contains_line?.replaceAll(/\$\{CODEX_HOME\}/g, home);
  if (line !== undefined && !text.split("\n").includes(line)) return `lacks the line: ${text}`;
  return undefined;
}
