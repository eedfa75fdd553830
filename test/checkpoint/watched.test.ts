import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import type { Manifest } from "../../src/checkpoint/index.js";
import { TestWorkspace } from "./workspace-support.js";

/** A workspace whose changes are watched after its first turn, with some files. */
async function watchedWorkspace(): Promise<TestWorkspace> {
  const at = new TestWorkspace({ watchedFrom: 1 });
  mkdirSync(at.path("dir/sub"), { recursive: true });
  for (const name of ["a", "dir/b", "dir/sub/c"]) writeFileSync(at.path(name), `${name}\n`);
  await at.turn(() => {});
  return at;
}

const namesOf = (manifest: Manifest | undefined) =>
  manifest?.changes.map(({ path }) => basename(path)).sort();

test("what a command changes, makes and deletes is found and restored", async () => {
  using at = await watchedWorkspace();

  const manifest = await at.turn(() => {
    writeFileSync(at.path("a"), "changed\n");
    chmodSync(at.path("dir/b"), 0o600);
    rmSync(at.path("dir/sub"), { recursive: true });
    mkdirSync(at.path("new/deep"), { recursive: true });
    writeFileSync(at.path("new/deep/d"), "d\n");
  });
  expect(namesOf(manifest)).toEqual(["a", "b", "c", "d", "deep", "new", "sub"]);
  await at.rewind(manifest);

  expect(readFileSync(at.path("a"), "utf8")).toBe("a\n");
  expect(readFileSync(at.path("dir/sub/c"), "utf8")).toBe("dir/sub/c\n");
  expect(existsSync(at.path("new"))).toBe(false);
});

test("edits of the user between the turns are no part of the next turn", async () => {
  using at = await watchedWorkspace();
  writeFileSync(at.path("dir/b"), "of the user\n");

  const manifest = await at.turn(() => appendFileSync(at.path("dir/b"), "and the turn\n"));
  await at.rewind(manifest);

  expect(readFileSync(at.path("dir/b"), "utf8")).toBe("of the user\n");
});

test("a folder that another one replaces is looked at with everything below it", async () => {
  using at = await watchedWorkspace();
  mkdirSync(at.path("other/sub"), { recursive: true });
  for (const name of ["other/b", "other/sub/c"]) writeFileSync(at.path(name), `${name}\n`);
  await at.turn(() => {});

  const manifest = await at.turn(() => {
    renameSync(at.path("dir"), at.path("old"));
    renameSync(at.path("other"), at.path("dir"));
  });
  await at.turn(() => writeFileSync(at.path("dir/sub/c"), "of a later turn\n"));
  rmSync(at.path("dir/sub/c"));
  writeFileSync(at.path("dir/sub/c"), "other/sub/c\n");
  await at.rewind(manifest);

  expect(readFileSync(at.path("dir/b"), "utf8")).toBe("dir/b\n");
  expect(readFileSync(at.path("other/sub/c"), "utf8")).toBe("other/sub/c\n");
  expect(existsSync(at.path("old"))).toBe(false);
});

test("a workspace that another one replaces is looked at again", async () => {
  using at = await watchedWorkspace();
  await at.turn(() => {});
  renameSync(at.root, `${at.root}-old`);
  mkdirSync(at.path("dir"), { recursive: true });
  writeFileSync(at.path("dir/b"), "another\n");

  const manifest = await at.turn(() => writeFileSync(at.path("dir/b"), "changed\n"));
  expect(namesOf(manifest)).toEqual(["b"]);
  await at.rewind(manifest);

  expect(readFileSync(at.path("dir/b"), "utf8")).toBe("another\n");
});

test("a change through another hard link is found, also if the link is gone", async () => {
  using at = await watchedWorkspace();

  const both = await at.turn(() => {
    linkSync(at.path("a"), at.path("dir/linked"));
    appendFileSync(at.path("dir/linked"), "more\n");
  });
  const again = await at.turn(() => appendFileSync(at.path("dir/linked"), "and more\n"));
  const gone = await at.turn(() => {
    linkSync(at.path("dir/b"), at.path("short"));
    appendFileSync(at.path("short"), "more\n");
    rmSync(at.path("short"));
  });

  expect(namesOf(both)).toEqual(["a", "linked"]);
  expect(namesOf(again)).toEqual(["a", "linked"]);
  expect(namesOf(gone)).toEqual(["b"]);
});

test("rules that change between two turns are followed", async () => {
  using at = await watchedWorkspace();
  mkdirSync(at.path(".git/info"));
  writeFileSync(at.path(".git/info/exclude"), "sub/\n");
  await at.turn(() => {});

  const ignored = await at.turn(() => writeFileSync(at.path("dir/sub/c"), "ignored\n"));
  writeFileSync(at.path(".git/info/exclude"), "");
  const followed = await at.turn(() => writeFileSync(at.path("dir/sub/c"), "followed\n"));

  expect(ignored).toBeUndefined();
  expect(namesOf(followed)).toEqual(["c"]);
});

test("more changes than the system can report are found", async () => {
  using at = await watchedWorkspace();

  const manifest = await at.turn(() => {
    for (let file = 0; file < 1000; file++) {
      writeFileSync(at.path(`dir/sub/${file}`), "");
      for (let time = 0; time < 10; time++) {
        // The same event twice in a row is one.
        chmodSync(at.path(`dir/sub/${file}`), 0o600 + time);
        chmodSync(at.path("a"), 0o600 + time);
      }
    }
  });
  const next = await at.turn(() => writeFileSync(at.path("dir/b"), "changed\n"));

  expect(manifest?.changes).toHaveLength(1001);
  expect(namesOf(next)).toEqual(["b"]);
});

test("a turn that changes nothing does not look at the files again", async () => {
  const fastestTurn = async (watchedFrom: number) => {
    using at = new TestWorkspace({ watchedFrom });
    for (let file = 0; file < 2000; file++) {
      if (file % 100 === 0) mkdirSync(at.path(`part${file / 100}`));
      writeFileSync(at.path(`part${Math.floor(file / 100)}/${file}`), "");
    }
    let fastest = Number.POSITIVE_INFINITY;
    for (let turn = 0; turn < 8; turn++) {
      const start = performance.now();
      await at.turn(() => {});
      fastest = Math.min(fastest, performance.now() - start);
    }
    return fastest;
  };

  const walked = await fastestTurn(Number.POSITIVE_INFINITY);
  expect(await fastestTurn(1)).toBeLessThan(walked / 3);
});
