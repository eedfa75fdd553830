import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { TestWorkspace } from "./workspace-support.js";

test("a file that was ignored before the turn is not deleted because it is not ignored any more", async () => {
  using at = new TestWorkspace();
  writeFileSync(at.path(".gitignore"), ".env\nbuild/\n");
  writeFileSync(at.path(".env"), "KEY=1\n");
  mkdirSync(at.path("build"));
  writeFileSync(at.path("build/out"), "built\n");

  const manifest = await at.turn(() => writeFileSync(at.path(".gitignore"), "# nothing\n"));
  const plan = await at.rewind(manifest);

  expect(plan.steps.map(({ path }) => path)).toEqual([at.path(".gitignore")]);
  expect(readFileSync(at.path(".env"), "utf8")).toBe("KEY=1\n");
  expect(existsSync(at.path("build/out"))).toBe(true);
});

test("a file in place of a folder that was ignored is not taken for a new one", async () => {
  using at = new TestWorkspace();
  writeFileSync(at.path(".gitignore"), "build/\n");
  mkdirSync(at.path("build"));

  const manifest = await at.turn(() => {
    rmSync(at.path("build"), { recursive: true });
    writeFileSync(at.path("build"), "a file\n");
    writeFileSync(at.path("new"), "n\n");
  });
  const plan = await at.rewind(manifest);

  expect(plan.steps.map(({ path }) => path)).toEqual([at.path("new")]);
  expect(readFileSync(at.path("build"), "utf8")).toBe("a file\n");
});

test("a file that a turn changes and then ignores is restored", async () => {
  using at = new TestWorkspace();
  mkdirSync(at.path("dir"));
  writeFileSync(at.path("dir/a"), "old\n");
  writeFileSync(at.path("dir/b"), "b\n");

  const manifest = await at.turn(() => {
    writeFileSync(at.path("dir/a"), "new\n");
    rmSync(at.path("dir/b"));
    writeFileSync(at.path(".gitignore"), "dir/\n");
  });
  await at.rewind(manifest);

  expect(readFileSync(at.path("dir/a"), "utf8")).toBe("old\n");
  expect(readFileSync(at.path("dir/b"), "utf8")).toBe("b\n");
  expect(existsSync(at.path(".gitignore"))).toBe(false);
});

test("a folder with too many files keeps its files when it has fewer after the turn", async () => {
  using at = new TestWorkspace({ maxFolderFiles: 3 });
  mkdirSync(at.path("many"));
  for (const name of ["1", "2", "3", "4"]) writeFileSync(at.path(`many/${name}`), name);

  const manifest = await at.turn(() => rmSync(at.path("many/4")));
  const plan = await at.rewind(manifest);

  expect(plan.limits).toEqual(["roots"]);
  expect(readFileSync(at.path("many/1"), "utf8")).toBe("1");
});

test("a path that rules deny is not read, and is not deleted once it is allowed", async () => {
  using at = new TestWorkspace();
  writeFileSync(at.path("secret"), "s\n");
  writeFileSync(at.path("a"), "a\n");
  const isDenied = (path: string) => path === at.path("secret");
  at.workspace.deny({ key: "one", isDenied });
  await at.turn(() => writeFileSync(at.path("a"), "b\n"));

  at.workspace.deny(undefined);
  const manifest = await at.turn(() => writeFileSync(at.path("new"), "n\n"));
  const plan = await at.rewind(manifest);

  expect(plan.steps.map(({ path }) => path)).toEqual([at.path("new")]);
  expect(existsSync(at.path("secret"))).toBe(true);
});

test("a file that rules deny by now is neither read nor restored", async () => {
  using at = new TestWorkspace();
  writeFileSync(at.path("a"), "old\n");
  const manifest = await at.turn(() => writeFileSync(at.path("a"), "new\n"));
  writeFileSync(at.path("a"), "a secret of today\n");
  const stored = at.store.added;

  const plan = await at.rewind(manifest, (path) => path === at.path("a"));

  expect(plan.conflicts).toEqual([{ path: at.path("a"), reason: "permission rules deny it" }]);
  expect(at.store.added).toBe(stored);
});

test("names and link targets that are not UTF-8 are reported", async () => {
  using at = new TestWorkspace();
  const name = Buffer.concat([Buffer.from(at.path("name-")), Buffer.from([0xe9])]);

  const manifest = await at.turn(() => {
    writeFileSync(name, "x");
    symlinkSync(Buffer.from([0xe9]), at.path("link"));
  });
  const plan = await at.rewind(manifest);

  expect(plan.limits).toEqual(["names"]);
  expect(plan.unsaved).toEqual([{ path: at.path("link"), reason: "not-text" }]);
  expect(existsSync(name)).toBe(true);
});

test("folders that a rewind had to make again are removed by its undo", async () => {
  using at = new TestWorkspace();
  mkdirSync(at.path("dir/sub"), { recursive: true });
  writeFileSync(at.path("dir/sub/a"), "a\n");
  const manifest = await at.turn(() => rmSync(at.path("dir/sub/a")));
  rmSync(at.path("dir"), { recursive: true });

  const { steps, roots } = await at.rewind(manifest);
  expect(readFileSync(at.path("dir/sub/a"), "utf8")).toBe("a\n");
  const changes = steps.map(({ path, from, to }) => ({ path, before: from, after: to }));
  await at.rewind({ version: 1, roots, changes, unsaved: [], limits: [] });

  expect(existsSync(at.path("dir"))).toBe(false);
});
