import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { statOf } from "../../src/checkpoint/file-state.js";
import {
  BlobStore,
  type Manifest,
  planRestore,
  type RestoreStep,
  restoreFiles,
  TurnFiles,
  Workspace,
  type WorkspaceOptions,
} from "../../src/checkpoint/index.js";
import { check, expectSame, TheirChanges } from "./history-check.js";
import { differing, type Edit, make, makeOld, nameOf, treeOf } from "./history-edits.js";

/** A turn of the thread, or of another thread in the same folder. */
export interface HistoryTurn {
  by: "command" | "patch" | "both" | "parallel commands" | "another thread";
  edits: Edit[];
  /** Changes of the user while the files are looked at, and after the turn. */
  during: Edit[];
  user: Edit[];
}

export interface TestedHistory {
  repository: "none" | "empty" | "git" | "git with autocrlf" | "git with eol";
  start: Edit[];
  turns: HistoryTurn[];
  /** Turn to rewind to. */
  target: number;
}

/** Larger files are not stored. */
const largest = 8000;

const names = [
  "a.txt",
  "A.txt",
  "b.bin",
  "dir/c.txt",
  "dir/sub/d.txt",
  "dir/sub",
  "dir",
  "e",
  "ignored.log",
  "new\nline and space",
  "gr\xc3\xbc\xc3\x9fe",
  "not-utf8-\xe9",
  "nested",
  "nested/x.txt",
  "link",
  "link/c.txt",
];
const path = fc.constantFrom(...names);
const kind = <Name extends string>(name: Name) => fc.constant(name);
const text = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom("", "one\n", "one\ntwo\n", "a\r\nb\r\n", "no end") },
  fc.constantFrom("x".repeat(5000), "mixed\r\nends\n", "too large".repeat(1000)),
);
const to = fc.constantFrom("a.txt", "nowhere", "dir", "..", "nested", "target-\xe9");

const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: kind("write"), path, text }) },
  { weight: 2, arbitrary: fc.record({ kind: kind("delete"), path }) },
  fc.record({ kind: kind("binary"), path, bytes: fc.uint8Array({ maxLength: 40 }) }),
  fc.record({ kind: kind("sparse"), path, size: fc.constantFrom(10, 4096, 100_000) }),
  fc.record({ kind: kind("rename"), path, to: path }),
  fc.record({ kind: kind("mode"), path, mode: fc.constantFrom(0o644, 0o755, 0o600, 0) }),
  fc.record({ kind: kind("link"), path, to }),
  fc.record({ kind: kind("hard-link"), path, to: path }),
  fc.record({ kind: kind("folder"), path }),
  fc.record({ kind: kind("file-instead"), path, text }),
  fc.record({ kind: kind("folder-instead"), path, text }),
  fc.record({
    kind: kind("write"),
    path: kind(".gitignore"),
    text: fc.constantFrom("*.log\n", "*.log\ne\n", "dir/\n", ""),
  }),
);

/** Random histories of a workspace. */
export const histories: fc.Arbitrary<TestedHistory> = fc.record({
  repository: fc.constantFrom("none", "empty", "git", "git with autocrlf", "git with eol"),
  start: fc.array(edit, { maxLength: 6 }),
  turns: fc.array(
    fc.record({
      by: fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom("command", "patch", "both") },
        fc.constantFrom("parallel commands", "another thread"),
      ),
      edits: fc.array(edit, { minLength: 1, maxLength: 4 }),
      during: fc.oneof(
        { weight: 5, arbitrary: fc.array(edit, { maxLength: 0 }) },
        fc.array(edit, { minLength: 1, maxLength: 1 }),
      ),
      user: fc.array(edit, { maxLength: 1 }),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  target: fc.nat(),
});

/** Runs a history on real files, rewinds to a turn and takes the rewind back; throws if a rule is broken. */
export async function runHistory(
  history: TestedHistory,
  options: Partial<WorkspaceOptions> = {},
): Promise<{ hasConflicts: boolean }> {
  const folder = mkdtempSync(join(tmpdir(), "quire-rewind-"));
  try {
    return await run(history, folder, options);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function run(
  { repository, start, turns, target }: TestedHistory,
  folder: string,
  others: Partial<WorkspaceOptions>,
) {
  const [root, home] = [join(folder, "work"), join(folder, "home")];
  const storeFolder = join(home, "checkpoints");
  mkdirSync(root);
  if (repository !== "none") make(root, { kind: "write", path: ".gitignore", text: "*.log\n" });
  for (const one of start) make(root, one);
  if (repository !== "none") startRepository(root, repository);
  make(root, { kind: "folder", path: "nested/.git" });
  const store = new BlobStore(storeFolder);
  const open = () => {
    const options = {
      storeFolder,
      store,
      home,
      env: process.env,
      maxFileBytes: largest,
      ...others,
    };
    return new Workspace(root, options);
  };
  const [workspace, another] = [open(), open()];
  const manifests: (Manifest | undefined)[] = [];
  const before: Record<string, string>[] = [];
  const theirs: TheirChanges[] = [];
  const made = [...start];
  const seen: Record<string, string>[] = [];
  const hasIgnoreRules = repository !== "none" || existsSync(join(tmpdir(), ".git"));
  for (const turn of turns) {
    const isOurs = turn.by !== "another thread";
    const old = treeOf(root);
    before.push(old);
    theirs.push(new TheirChanges());
    made.push(...turn.edits, ...turn.during, ...turn.user);
    const files = new TurnFiles(store, [isOurs ? workspace : another]);
    const during = await runTurn(turn, root, { files, seen });
    for (const one of theirs) one.addUncertain(during, old);
    const manifest = await files.finish();
    manifests.push(isOurs ? manifest : undefined);
    const ended = isOurs ? treeOf(root) : old;
    for (const one of turn.user) make(root, one);
    const left = treeOf(root);
    seen.push(left);
    for (const at of differing(ended, left)) for (const one of theirs) one.set(at, left[at]);
  }
  const index = target % turns.length;
  const undone = manifests.slice(index).filter((one) => one !== undefined);
  const git = gitFilesOf(root);
  const now = treeOf(root);
  const plan = await planRestore(undone, { store });
  await restore("r1", plan.steps);
  const facts = { plan, made, root, largest, hasIgnoreRules, seen };
  const wanted = before[index] ?? {};
  check({ after: treeOf(root), now, wanted, theirs: theirs[index] ?? new TheirChanges() }, facts);
  const changes = plan.steps.map(({ path: at, from, to }) => ({
    path: at,
    before: from,
    after: to,
  }));
  const back: Manifest = { version: 1, roots: plan.roots, unsaved: [], limits: [], changes };
  const undo = await planRestore([back], { store });
  if (undo.conflicts.length > 0)
    throw new Error(`undo has conflicts: ${JSON.stringify(undo.conflicts)}`);
  await restore("r2", undo.steps);
  expectSame(treeOf(root), now, "undo");
  if (existsSync(join(storeFolder, "journals", "r2.json"))) throw new Error("the journal was left");
  expectSame(gitFilesOf(root), git, "files of git");
  for (const one of [workspace, another]) one.close();
  return { hasConflicts: plan.conflicts.length > 0 };

  async function restore(id: string, steps: readonly RestoreStep[]) {
    await restoreFiles({ storeFolder, store, id, log: undefined, steps, commit() {} });
  }
}

/** Makes a repository of a folder; its files are in its index. */
function startRepository(root: string, kindOf: TestedHistory["repository"]): void {
  if (kindOf === "empty") {
    mkdirSync(join(root, ".git"));
    return;
  }
  if (kindOf === "git with eol") {
    make(root, { kind: "write", path: ".gitattributes", text: "* text=auto eol=crlf\n" });
  }
  makeOld(root, treeOf(root));
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: root, stdio: ["ignore", "ignore", "ignore"] });
  git("init", "-q", "--template=");
  if (kindOf === "git with autocrlf") git("config", "core.autocrlf", "true");
  git("add", "-A");
}

/** Returns the index, the refs and the objects of the repository. */
function gitFilesOf(root: string): Record<string, string> {
  const folder = join(root, ".git");
  if (!existsSync(folder)) return {};
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [
        join(parentPath, name),
        readFileSync(join(parentPath, name), "base64"),
      ]),
  );
}

/** Makes the changes of a turn; returns the files after those of the user during it, if there are any. */
async function runTurn(
  turn: HistoryTurn,
  root: string,
  { files, seen }: { files: TurnFiles; seen: Record<string, string>[] },
) {
  let during: Record<string, string> | undefined;
  const userEdits = () => {
    if (turn.during.length === 0 || during !== undefined) return;
    for (const one of turn.during) make(root, one);
    during = treeOf(root);
  };
  if (turn.by === "parallel commands") {
    const both = [files.beforeCommand(), files.beforeCommand()];
    userEdits();
    await Promise.all(both);
    for (const one of turn.edits) {
      make(root, one);
      seen.push(treeOf(root));
    }
    files.afterCommand();
    return during;
  }
  for (const [index, one] of turn.edits.entries()) {
    const isCommand = !["patch", "both"].includes(turn.by) || (turn.by === "both" && index % 2 > 0);
    const patched = !isCommand && isPatch(root, one) ? join(root, nameOf(one.path)) : undefined;
    const stored = patched === undefined ? files.beforeCommand() : files.beforePatch([patched]);
    userEdits();
    await stored;
    if (patched !== undefined) unlinkOthers(patched);
    make(root, one);
    seen.push(treeOf(root));
    files.afterCommand();
  }
  return during;
}

/** A patch replaces a file, so that its other hard links keep their contents. */
function unlinkOthers(path: string): void {
  if ((statOf(path)?.nlink ?? 0) < 2 || statOf(path)?.isFile() !== true) return;
  copyFileSync(path, `${path}.tmp`);
  renameSync(`${path}.tmp`, path);
}

/** Patches only write and delete files, and name the file behind a link. */
function isPatch(root: string, { kind: what, path: way }: Edit): boolean {
  const at = join(root, nameOf(way));
  const isLink = way.split("/").some((_, index, parts) => {
    const part = join(root, nameOf(parts.slice(0, index + 1).join("/")));
    return statOf(part)?.isSymbolicLink() === true;
  });
  const isText = !nameOf(way).includes("\ufffd");
  return (
    isText && !isLink && (what === "write" || (what === "delete" && statOf(at)?.isFile() === true))
  );
}
