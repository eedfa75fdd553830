import { chmod, cp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { applyChanges, parsePatch, TurnDiff, verifyPatch } from "../../src/patch/index.js";
import { git, pipe } from "./git.js";
import { hostState } from "./host-state.js";
import { temporaryFolder } from "./temporary-folder.js";

const ADDED = "0000000000000000000000000000000000000000..";

test("all patches of a turn are one git diff, sorted by path", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ "a.txt": "alpha\nbeta\ngamma\n", "gone.txt": "bye\n" });
  await folder.write({ ".git/HEAD": "" });
  const turnDiff = new TurnDiff();

  await patch(turnDiff, folder.path, "*** Add File: new.txt", "+one", "+two");
  await patch(turnDiff, folder.path, "*** Update File: a.txt", "-beta", "+BETA");
  await patch(turnDiff, folder.path, "*** Delete File: gone.txt");

  expect(await turnDiff.unifiedDiff()).toBe(
    `diff --git a/a.txt b/a.txt
index 85c30401ce288f253613cb07ee32e62128089caa..e50310a98706747e5f83d131572570985b069064
--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,3 @@
 alpha
-beta
+BETA
 gamma
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
index b023018cabc396e7692c70bbf5784a93d3f738ab..0000000000000000000000000000000000000000
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-bye
diff --git a/new.txt b/new.txt
new file mode 100644
index ${ADDED}814f4a422927b82f5f8a43f8fab6d3839e3983f2
--- /dev/null
+++ b/new.txt
@@ -0,0 +1,2 @@
+one
+two
`,
  );
});

test("a move shows both paths", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ "a.txt": "alpha\nbeta\ngamma\n" });
  await folder.write({ ".git/HEAD": "" });
  const turnDiff = new TurnDiff();

  const lines = ["*** Update File: a.txt", "*** Move to: moved/b.txt", "-beta", "+BETA"];
  await patch(turnDiff, folder.path, ...lines);

  expect(await turnDiff.unifiedDiff()).toBe(
    `diff --git a/a.txt b/moved/b.txt
index 85c30401ce288f253613cb07ee32e62128089caa..e50310a98706747e5f83d131572570985b069064
--- a/a.txt
+++ b/moved/b.txt
@@ -1,3 +1,3 @@
 alpha
-beta
+BETA
 gamma
`,
  );
});

test("paths are absolute outside of a repository, and relative to a given root", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ "sub/a": "a\n" });
  const [plain, rooted] = [new TurnDiff(), new TurnDiff({ root: folder.path })];
  const inFolder = new TurnDiff({ fallbackRoot: join(folder.path, "sub") });
  const path = join(folder.path, "sub/a");
  for (const diff of [plain, rooted, inFolder]) {
    await diff.track({ [path]: { type: "delete", content: "a\n" } });
  }

  await rm(path);

  expect((await plain.unifiedDiff())?.split("\n")[0]).toBe(`diff --git a/${path} b/${path}`);
  expect((await rooted.unifiedDiff())?.split("\n")[0]).toBe("diff --git a/sub/a b/sub/a");
  expect((await inFolder.unifiedDiff())?.split("\n")[0]).toBe("diff --git a/a b/a");
});

test.each([
  ["an update taken back", ["*** Update File: a", "-a", "+b"], ["*** Update File: a", "-b", "+a"]],
  ["a file added and deleted", ["*** Add File: n", "+x"], ["*** Delete File: n"]],
  [
    "a file moved away and back",
    ["*** Update File: a", "*** Move to: b", "-a", "+b"],
    ["*** Update File: b", "*** Move to: a", "-b", "+a"],
  ],
  [
    "a file moved unchanged",
    ["*** Update File: a", "*** Move to: b", " a"],
    ["*** Update File: b", " a"],
  ],
])("%s leaves no diff", async (_name, first, second) => {
  await using folder = await temporaryFolder();
  await folder.write({ a: "a\n" });
  const turnDiff = new TurnDiff();

  await patch(turnDiff, folder.path, ...first);
  await patch(turnDiff, folder.path, ...second);

  expect(await turnDiff.unifiedDiff()).toBeUndefined();
});

test("a move that was tracked but not made is not shown", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ a: "a\n" });
  const turnDiff = new TurnDiff();

  const move_path = join(folder.path, "b");
  await turnDiff.track({
    [join(folder.path, "a")]: { type: "update", unified_diff: "", move_path },
  });

  expect(await turnDiff.unifiedDiff()).toBeUndefined();
});

test("git apply reproduces the final state from the initial one", async () => {
  await using before = await temporaryFolder();
  await using after = await temporaryFolder();
  const names = ["plain", "name with blanks", 'quo"te', "tab\there", "ümlaut", "noeol"];
  await before.write(Object.fromEntries(names.map((name) => [name, `1\n2\n3\n`])));
  await before.write({
    noeol: "1\n2",
    "from/file": "1\n2\n3\n",
    taken: "old\n",
    over: "x\n",
    mode: "#!/bin/sh\n",
    both: "1\n",
    gone: "1\n2\n",
    image: Buffer.from([0xff, 0xd8, 0, 1]),
    picture: Buffer.from([0xff, 0xd8, 0, 2]),
    "large.txt": "line\n".repeat(100_000),
    empty: "",
  });
  await symlink("plain", join(before.path, "link"));
  await git(before.path, "init", "--quiet");
  await cp(before.path, after.path, { recursive: true, verbatimSymlinks: true });
  const turnDiff = new TurnDiff({ binary: true });

  const updates = names.flatMap((name) => [`*** Update File: ${name}`, "-2", "+two"]);
  await patch(
    turnDiff,
    after.path,
    ...updates,
    "*** Delete File: gone",
    "*** Add File: picture",
    "+text",
  );
  await patch(
    turnDiff,
    after.path,
    "*** Update File: from/file",
    "*** Move to: to/new file",
    "-1",
    "+one",
  );
  await patch(turnDiff, after.path, "*** Update File: over", "*** Move to: taken", "-x", "+y");
  await patch(
    turnDiff,
    after.path,
    "*** Add File: deep/er/new",
    "+n",
    "*** Add File: void",
    "*** Delete File: empty",
  );
  await patch(
    turnDiff,
    after.path,
    "*** Update File: large.txt",
    "@@",
    " line",
    "+more",
    "*** Delete File: link",
  );
  await patch(
    turnDiff,
    after.path,
    "*** Update File: mode",
    " #!/bin/sh",
    "*** Update File: both",
    "-1",
    "+2",
  );
  await patch(turnDiff, after.path, "*** Delete File: image");
  await chmod(join(after.path, "mode"), 0o755);
  await chmod(join(after.path, "both"), 0o755);
  const diff = await turnDiff.unifiedDiff();

  await pipe(before.path, diff ?? "", "git", "apply", "-");
  expect(withoutGit(await hostState(before.path, 0o700))).toEqual(
    withoutGit(await hostState(after.path, 0o700)),
  );
});

test("binary contents are included only on request", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ image: Buffer.from([0xff, 0xd8]) });
  await git(folder.path, "init", "--quiet");
  const blobId = (await git(folder.path, "hash-object", "image")).trim();
  const turnDiff = new TurnDiff();

  await patch(turnDiff, folder.path, "*** Add File: image", "+text");
  const newBlobId = (await git(folder.path, "hash-object", "image")).trim();

  expect(await turnDiff.unifiedDiff()).toBe(
    [
      "diff --git a/image b/image",
      `index ${blobId}..${newBlobId}`,
      "--- a/image",
      "+++ b/image",
      "Binary files differ",
      "",
    ].join("\n"),
  );
});

test("files over the limit are reported as different, with their blob ids", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ a: "a\n".repeat(100), b: "b\n".repeat(100) });
  await git(folder.path, "init", "--quiet");
  const blobId = (await git(folder.path, "hash-object", "a")).trim();
  const turnDiff = new TurnDiff({ maxFileBytes: 250, maxTotalBytes: 150 });

  await patch(
    turnDiff,
    folder.path,
    "*** Update File: a",
    "-a",
    "+x",
    "*** Update File: b",
    "-b",
    "+x",
  );
  const diff = await turnDiff.unifiedDiff();

  expect(diff).toContain(`index ${blobId}..`);
  expect(diff?.match(/Binary files differ/g)).toHaveLength(2);
});

test("an update through a link is shown for the file behind it", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ "real/f": "a\n" });
  await folder.write({ ".git/HEAD": "" });
  await symlink("real/f", join(folder.path, "link"));
  const turnDiff = new TurnDiff();

  await patch(turnDiff, folder.path, "*** Update File: link", "-a", "+b");

  expect((await turnDiff.unifiedDiff())?.split("\n")[0]).toBe("diff --git a/real/f b/real/f");
});

test("changes of other programs to a patched file are included", async () => {
  await using folder = await temporaryFolder();
  await folder.write({ a: "a\n" });
  await folder.write({ ".git/HEAD": "" });
  const turnDiff = new TurnDiff();
  await patch(turnDiff, folder.path, "*** Update File: a", "-a", "+b");
  const first = await turnDiff.unifiedDiff();

  await writeFile(join(folder.path, "a"), "c\n");
  const second = await turnDiff.unifiedDiff();
  await rename(join(folder.path, "a"), join(folder.path, "b"));
  const third = await turnDiff.unifiedDiff();

  expect([first, second, third].map((diff) => diff?.split("\n").slice(-3))).toEqual([
    ["-a", "+b", ""],
    ["-a", "+c", ""],
    ["@@ -1 +0,0 @@", "-a", ""],
  ]);
  expect(await readFile(join(folder.path, "b"), "utf8")).toBe("c\n");
});

async function patch(turnDiff: TurnDiff, cwd: string, ...lines: string[]): Promise<void> {
  const parsed = parsePatch(["*** Begin Patch", ...lines, "*** End Patch"].join("\n"));
  if (!parsed.ok) throw new Error(parsed.error.message);
  const verified = await verifyPatch(parsed.patch.hunks, { cwd });
  if (!verified.ok) throw new Error(JSON.stringify(verified.failure));
  await turnDiff.track(verified.patch.changes);
  const outcome = await applyChanges(verified.patch);
  if (!outcome.ok) throw new Error(outcome.stderr);
}

function withoutGit(state: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(state).filter(
      ([name, value]) => !name.startsWith(".git") && !value.startsWith("folder"),
    ),
  );
}
