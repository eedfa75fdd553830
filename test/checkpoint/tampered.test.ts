import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { getManifest, recoverRestores, restoreFiles } from "../../src/checkpoint/index.js";
import { TestWorkspace } from "./workspace-support.js";

const journals = [
  ["an empty one", {}],
  ["one without steps", { id: "r", holder: "gone" }],
  ["an id that is a path", { id: "../../x", holder: "gone", steps: [] }],
  [
    "a relative path",
    { id: "r", holder: "gone", steps: [{ path: "a", from: { kind: "link", target: "x" } }] },
  ],
  [
    "a path with `..`",
    { id: "r", holder: "gone", steps: [{ path: "/tmp/../a", from: { kind: "link", target: "" } }] },
  ],
  [
    "a hash that is a path",
    {
      id: "r",
      holder: "gone",
      steps: [{ path: "/a", from: { kind: "file", mode: 1, size: 1, hash: "../../../x" } }],
    },
  ],
] as const;

test.each(journals)("a damaged journal is dropped: %s", async (_name, journal) => {
  using at = new TestWorkspace();
  const folder = join(at.storeFolder, "journals");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "r.json"), JSON.stringify(journal));

  expect(await recoverRestores(at.storeFolder)).toBe(0);

  expect(readdirSync(folder)).toEqual([]);
});

test("a manifest with a path outside of its folders, or with `..`, is not read or not restored", async () => {
  using at = new TestWorkspace();
  const link = { kind: "link", target: "x" } as const;
  const put = (path: string) => {
    const changes = [{ path, before: link }];
    const manifest = { version: 1, roots: [at.root], changes, unsaved: [], limits: [] };
    return at.store.put(Buffer.from(JSON.stringify(manifest)));
  };

  expect(getManifest(at.store, put(`${at.root}/../outside`))).toBeUndefined();
  const plan = await at.rewind(getManifest(at.store, put(join(at.root, "..", "outside"))));

  expect(plan.steps).toEqual([]);
  expect(plan.conflicts[0]?.reason).toBe("it is outside of the workspace");
});

test("a link in place of a folder between plan and restore does not lead a write outside", async () => {
  using at = new TestWorkspace();
  mkdirSync(at.path("dir"));
  const outside = join(at.root, "..", "outside");
  mkdirSync(outside);
  const path = at.path("dir/a");
  const to = { kind: "file", mode: 0o644, size: 1, hash: at.store.put(Buffer.from("x")) } as const;
  symlinkSync(outside, at.path("link"));
  const { store, storeFolder } = at;
  const restore = (steps: Parameters<typeof restoreFiles>[0]["steps"]) =>
    restoreFiles({ storeFolder, store, id: "r", log: undefined, steps, commit() {} });

  const steps = [{ path: at.path("link/a"), from: undefined, to }];
  await expect(restore(steps)).rejects.toThrow(/a symbolic link is in its path/);
  await restore([{ path, from: undefined, to }]);

  expect(readdirSync(outside)).toEqual([]);
  expect(existsSync(path)).toBe(true);
});

test("the store is private to the user", async () => {
  using at = new TestWorkspace();
  writeFileSync(at.path("secret"), "s\n", { mode: 0o644 });
  await at.turn(() => writeFileSync(at.path("secret"), "t\n"));

  const entries = readdirSync(at.storeFolder, { recursive: true, withFileTypes: true });
  const modes = entries.map(({ parentPath, name }) => statSync(join(parentPath, name)).mode);

  expect(entries.length).toBeGreaterThan(2);
  expect(modes.filter((mode) => (mode & 0o077) !== 0)).toEqual([]);
  expect(statSync(at.storeFolder).mode & 0o077).toBe(0);
});
