import { mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  findMentions,
  type LoadedSkills,
  loadSkills,
  type Skill,
  selectSkills,
} from "../../src/project/index.js";
import { CannotRun, type SuiteAdapter, type SuiteCase } from "../suite.js";
import { type CaseFiles, inFolder, writeCaseFiles } from "./case-files.js";

/** Finding skills on disk, and choosing those that a text names. */
export const suite: SuiteAdapter = {
  name: "skills",
  async run(testCase, { dir }) {
    const skillCase = testCase as SkillCase;
    switch (testCase.kind) {
      case "load":
        return runLoad(skillCase, await realpath(dir));
      case "text_mentions_skill": {
        const found = findMentions(skillCase.text).names.has(String(testCase.skill));
        return found === testCase.expect ? undefined : String(found);
      }
      case "extract_mentions":
        return compareMentions(skillCase);
      case "select":
        return compareSelected(skillCase);
      default:
        throw new CannotRun(`unknown kind ${testCase.kind}`);
    }
  },
};

interface SkillCase extends SuiteCase {
  text: string;
  project_is_git?: boolean;
  cwd: string;
  symlinks?: Record<string, string>;
  skills: [string, string][];
  disabled_paths?: string[];
  connector_slugs?: Record<string, number>;
  expect_paths?: string[];
  expect: {
    skills?: Partial<Skill>[];
    skills_count?: number;
    errors?: number;
    error_contains?: string;
    names?: string[];
    paths?: string[];
  };
}

/** Each place of a case has a folder: `home_files` are in `home`, written `home:` or `${CODEX_HOME}`. */
const placeholders: Record<string, string> = { CODEX_HOME: "home", HOME: "user_home" };

async function runLoad(skillCase: SkillCase, base: string): Promise<string | undefined> {
  const cwd = inFolder(base, join("project", skillCase.cwd));
  for (const [field, files] of Object.entries(skillCase)) {
    const place = /^(\w+)_files$/.exec(field)?.[1];
    if (place) await writeCaseFiles(join(base, place), files as CaseFiles);
  }
  await mkdir(cwd, { recursive: true }).catch(() => undefined); // a case may make it a file
  if (skillCase.project_is_git) await writeFile(join(base, "project/.git"), "gitdir: elsewhere\n");
  for (const link of Object.entries(skillCase.symlinks ?? {})) await makeLink(link, base);
  const loaded = await loadSkills({
    cwd,
    home: join(base, "home"),
    userHome: join(base, "user_home"),
    adminFolder: join(base, "admin/skills"),
    refusalOf: () => undefined,
  });
  return compareLoaded(skillCase, loaded, base);
}

async function makeLink([name, target]: [string, string], base: string): Promise<void> {
  const link = inPlace(name, base);
  await mkdir(dirname(link), { recursive: true });
  if (!target.startsWith("<")) return symlink(inPlace(target, base), link);
  const elsewhere = join(base, "elsewhere");
  await writeCaseFiles(elsewhere, { "SKILL.md": "---\nname: linked\ndescription: linked\n---\n" });
  await symlink(link.endsWith("SKILL.md") ? join(elsewhere, "SKILL.md") : elsewhere, link);
}

function inPlace(name: string, base: string): string {
  const [, place = "home", path = name] = /^(\w+):(.*)$/.exec(name) ?? [];
  return inFolder(base, join(place, path));
}

function compareLoaded(
  { expect }: SkillCase,
  { skills, errors }: LoadedSkills,
  base: string,
): string | undefined {
  const actual = JSON.stringify({ skills, errors });
  if (expect.errors !== undefined && errors.length !== expect.errors) return actual;
  if (
    expect.error_contains &&
    !errors.some(({ message }) => message.includes(expect.error_contains ?? ""))
  )
    return actual;
  const count = expect.skills?.length ?? expect.skills_count;
  if (count !== undefined && skills.length !== count) return actual;
  for (const [index, wanted] of (expect.skills ?? []).entries()) {
    for (const [field, value] of Object.entries(wanted)) {
      const found = skills[index]?.[field as keyof Skill] ?? null;
      const expected = typeof value === "string" ? fill(value, base) : (value ?? null);
      if (JSON.stringify(found) !== JSON.stringify(expected)) return `${field}: ${actual}`;
    }
  }
  return undefined;
}

function fill(text: string, base: string): string {
  return text.replace(/^\$\{(\w+)\}/, (_, name: string) =>
    join(base, placeholders[name] ?? name.toLowerCase()),
  );
}

function compareMentions({ text, expect }: SkillCase): string | undefined {
  const { names, paths } = findMentions(text);
  const found = { names: [...names].sort(), paths: [...paths].sort() };
  const wanted = { names: expect.names?.sort(), paths: expect.paths?.sort() };
  return JSON.stringify(found) === JSON.stringify(wanted) ? undefined : JSON.stringify(found);
}

function compareSelected(skillCase: SkillCase): string | undefined {
  const disabled = new Set(skillCase.disabled_paths);
  const skills = skillCase.skills.map(([name, path]): Skill => {
    return { name, path, description: name, scope: "user", enabled: !disabled.has(path) };
  });
  const otherNames = new Set(Object.keys(skillCase.connector_slugs ?? {}));
  const items = [{ type: "text" as const, text: skillCase.text }];
  const paths = selectSkills({ items, skills, otherNames }).skills.map(({ path }) => path);
  return JSON.stringify(paths) === JSON.stringify(skillCase.expect_paths)
    ? undefined
    : JSON.stringify(paths);
}
