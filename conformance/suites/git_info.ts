import { execFile } from "node:child_process";
import { mkdir, realpath, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { mainWorkTree } from "../../src/config/index.js";
import { readDiffToRemote, readGitInfo, readRecentCommits } from "../../src/project/index.js";
import { CannotRun, type SuiteAdapter, type SuiteCase } from "../suite.js";
import { inFolder } from "./case-files.js";

/** Facts about a repository, in repositories created as each case describes. */
export const suite: SuiteAdapter = {
  name: "git_info",
  async run(testCase, { dir }) {
    const { setup = [], expect } = testCase as GitCase;
    const repo = join(await realpath(dir), "repo");
    await mkdir(repo);
    for (const step of setup) await perform(step, repo);
    for (const [key, wanted] of Object.entries(expect ?? { info: null })) {
      const found = await look(key, wanted, repo);
      const expected = key === "sha" && wanted ? await resolveRef(String(wanted), repo) : wanted;
      if (JSON.stringify(found) !== JSON.stringify(expected)) {
        return `${key}: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`;
      }
    }
    return undefined;
  },
};

interface GitCase extends SuiteCase {
  setup?: string[];
  expect: Record<string, unknown> | null;
}

async function perform(step: string, repo: string): Promise<void> {
  const words = [...step.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
  const [verb, ...rest] = words as [string, ...string[]];
  if (verb === "write" || verb === "mkdir") return makeFile(verb, rest, repo);
  if (verb === "commit") {
    await writeFile(join(repo, "changes.txt"), rest.join(" "));
    await git(repo, "add", ".");
    return void (await git(repo, "commit", "-m", rest.join(" ")));
  }
  if (verb !== "git") throw new CannotRun(`unknown step: ${step}`);
  await git(repo, ...(await Promise.all(rest.map((word) => fill(word, repo)))));
}

async function makeFile(
  verb: string,
  [name = "", text = ""]: string[],
  repo: string,
): Promise<void> {
  const path = inFolder(repo, name);
  await mkdir(verb === "mkdir" ? path : dirname(path), { recursive: true });
  if (verb === "write") await writeFile(path, text);
}

async function fill(word: string, repo: string): Promise<string> {
  if (word === "<sha>") return git(repo, "rev-parse", "HEAD");
  return word === "<branch>" ? git(repo, "symbolic-ref", "--short", "HEAD") : word;
}

async function resolveRef(ref: string, repo: string): Promise<string> {
  const name = ref.replace("<branch>", await fill("<branch>", repo));
  return git(repo, "rev-parse", name);
}

async function look(key: string, wanted: unknown, repo: string): Promise<unknown> {
  const place = { cwd: repo, env: process.env, home: join(repo, "../home") };
  const info = await readGitInfo(repo);
  const limit = /^subjects_limit_(\d+)$/.exec(key)?.[1];
  if (limit) return (await readRecentCommits(place, Number(limit))).map(({ subject }) => subject);
  switch (key) {
    case "info":
      return info ?? null;
    case "commit_hash":
      return wanted === true ? /^[0-9a-f]{40}$/.test(info?.commit_hash ?? "") : info?.commit_hash;
    case "branch":
      return typeof wanted === "boolean" ? Boolean(info?.branch) : (info?.branch ?? null);
    case "repository_url":
      return info?.repository_url ?? null;
    case "sha":
      return (await readDiffToRemote(place))?.sha ?? null;
    case "diff":
      return (await readDiffToRemote(place))?.diff ?? null;
    case "diff_empty":
      return (await readDiffToRemote(place))?.diff === "";
    case "diff_contains": {
      const diff = (await readDiffToRemote(place))?.diff ?? "";
      if (typeof wanted === "string") return diff.includes(wanted) ? wanted : diff;
      return (wanted as string[]).filter((part) => diff.includes(part));
    }
    case "commits":
    case "subjects":
    case "recent_commits":
      return (await readRecentCommits(place, 10)).map(({ subject }) => subject);
    case "trust_root":
      return shownRoot(mainWorkTree(repo), repo);
    case "trust_root_of_subdir":
      await mkdir(join(repo, "sub/dir"), { recursive: true });
      return shownRoot(mainWorkTree(join(repo, "sub/dir")), repo);
    case "trust_root_of":
      return trustRoots(Object.keys(wanted as object), repo);
    default:
      throw new CannotRun(`unknown expectation: ${key}`);
  }
}

async function trustRoots(folders: string[], repo: string): Promise<Record<string, unknown>> {
  const roots: Record<string, unknown> = {};
  for (const folder of folders) {
    await mkdir(join(repo, folder), { recursive: true });
    roots[folder] = shownRoot(mainWorkTree(join(repo, folder)), repo);
  }
  return roots;
}

function shownRoot(root: string | undefined, repo: string): string | null {
  return root === repo ? "<repo>" : (root ?? null);
}

async function git(cwd: string, ...args: string[]): Promise<string> {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  const { stdout } = await promisify(execFile)("git", [...identity, ...args], { cwd });
  return stdout.trim();
}
