import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";

const run = promisify(execFile);
const script = resolve(import.meta.dirname, "../../scripts/release.mjs");

/** A repository with the files that a release changes. */
async function repository(changelog = "# Changelog\n\n## 0.2.0 (unreleased)\n\n- One.\n") {
  const folder = mkdtempSync(join(tmpdir(), "quire-release-"));
  writeFileSync(join(folder, "CHANGELOG.md"), changelog);
  writeFileSync(join(folder, "package.json"), '{ "name": "p", "version": "0.1.0" }\n');
  writeFileSync(
    join(folder, "package-lock.json"),
    '{ "version": "0.1.0", "packages": { "": { "version": "0.1.0" } } }\n',
  );
  mkdirSync(join(folder, "packages/conformance"), { recursive: true });
  writeFileSync(join(folder, "packages/conformance/package.json"), '{ "version": "0.1.0" }\n');
  cpSync(script, join(folder, "release.mjs"));
  const git = async (...args: string[]) => (await run("git", args, { cwd: folder })).stdout.trim();
  await git("init", "-q", "-b", "main");
  await git("config", "user.email", "a@example.com");
  await git("config", "user.name", "A");
  await git("add", "-A");
  await git("commit", "-qm", "first");
  return {
    git,
    read: (name: string) => readFileSync(join(folder, name), "utf8"),
    write: (name: string, text: string) => writeFileSync(join(folder, name), text),
    async release(...args: string[]) {
      const started = run(process.execPath, [script, ...args], { cwd: folder });
      return started.then(
        ({ stdout }) => ({ code: 0, text: stdout }),
        ({ code, stderr }) => ({ code, text: stderr as string }),
      );
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

test("the changelog lists each change once, under its kind", () => {
  const changelog = readFileSync(resolve(import.meta.dirname, "../../CHANGELOG.md"), "utf8");

  const [newest = ""] = changelog.split(/^## /m).slice(1);
  const changes = newest.split(/^(?=- |#)/m).filter((text) => text.startsWith("- "));

  expect(changes.filter((change, at) => changes.indexOf(change) !== at)).toEqual([]);
  expect(newest.split(/^### /m)[0]).not.toMatch(/^- /m);
});

describe("a release", () => {
  test("dates the changelog, sets the version, commits and tags", async () => {
    using place = await repository();

    const { code } = await place.release("0.2.0");

    expect(code).toBe(0);
    expect(place.read("CHANGELOG.md")).toMatch(/^## 0\.2\.0 \(\d{4}-\d\d-\d\d\)$/m);
    expect(JSON.parse(place.read("package.json")).version).toBe("0.2.0");
    expect(JSON.parse(place.read("package-lock.json")).packages[""].version).toBe("0.2.0");
    expect(JSON.parse(place.read("packages/conformance/package.json")).version).toBe("0.2.0");
    expect(await place.git("status", "--porcelain")).toBe("");
    expect(await place.git("log", "-1", "--format=%s")).toBe("release: 0.2.0");
    expect(await place.git("tag", "--points-at", "HEAD")).toBe("v0.2.0");
    expect(await place.release("--check-tag", "v0.2.0")).toEqual({ code: 0, text: "" });
  });

  test.each([
    ["a wrong version", ["two"], 'Expected a version such as 1.2.3 (got "two")'],
    ["no version", [], 'got ""'],
    ["a tag that does not fit", ["--check-tag", "v9.9.9"], "does not fit the version 0.1.0"],
    ["a version without a section", ["--check-tag", "v0.1.0"], "no dated section for 0.1.0"],
  ])("with %s is refused, and nothing changes", async (_, args, reason) => {
    using place = await repository();

    const { code, text } = await place.release(...args);

    expect(code).toBe(1);
    expect(text).toContain(reason);
    expect(await place.git("status", "--porcelain")).toBe("");
  });

  test("names the repository that it is published from", async () => {
    using place = await repository();

    const { code } = await place.release("--set-repository", "https://git.example/o/p.git");

    expect(code).toBe(0);
    expect(JSON.parse(place.read("package.json"))).toMatchObject({
      repository: { type: "git", url: "git+https://git.example/o/p.git" },
      homepage: "https://git.example/o/p#readme",
      bugs: "https://git.example/o/p/issues",
    });
    expect(JSON.parse(place.read("packages/conformance/package.json")).repository).toEqual({
      type: "git",
      url: "git+https://git.example/o/p.git",
      directory: "packages/conformance",
    });
    for (const url of ["", "o/p", "https://git.example/o", "https://git.example/o/p; rm x"]) {
      expect((await place.release("--set-repository", url)).text).toContain("Expected a URL");
    }
  });

  test("is refused in a work tree with changes, on another branch, and without a section", async () => {
    using changed = await repository();
    changed.write("package.json", "{}\n");
    using other = await repository();
    await other.git("checkout", "-qb", "topic");
    using empty = await repository("# Changelog\n");

    expect((await changed.release("0.2.0")).text).toContain("commit or stash them");
    expect((await other.release("0.2.0")).text).toContain("on the branch main");
    expect((await empty.release("0.2.0")).text).toContain("no section");
  });
});
