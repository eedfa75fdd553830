import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** A change to files. Each character of a path or target is one byte, so that any name can be written. */
export type Edit =
  | { kind: "write"; path: string; text: string }
  | { kind: "binary"; path: string; bytes: Uint8Array }
  | { kind: "sparse"; path: string; size: number }
  | { kind: "delete"; path: string }
  | { kind: "rename"; path: string; to: string }
  | { kind: "mode"; path: string; mode: number }
  | { kind: "link"; path: string; to: string }
  | { kind: "hard-link"; path: string; to: string }
  | { kind: "folder"; path: string }
  /** A file in the place of whatever is there, and a folder with a file in the place of whatever is there. */
  | { kind: "file-instead"; path: string; text: string }
  | { kind: "folder-instead"; path: string; text: string };

/** Makes a change as a program would; impossible ones do nothing. */
export function make(root: string, edit: Edit): void {
  const at = bytesOf(join(root, edit.path));
  try {
    makeAt(at, root, edit);
  } catch {
    // Not possible in this state.
  }
}

function makeAt(at: Buffer, root: string, edit: Edit): void {
  switch (edit.kind) {
    case "write":
    case "binary":
      mkdirSync(bytesOf(join(root, dirname(edit.path))), { recursive: true });
      writeFileSync(at, edit.kind === "write" ? edit.text : edit.bytes);
      return;
    case "sparse":
      writeFileSync(at, "start");
      truncateSync(at.toString(), edit.size);
      return;
    case "delete":
      rmSync(at, { recursive: true, force: true });
      return;
    case "rename":
      renameSync(at, bytesOf(join(root, edit.to)));
      return;
    case "mode":
      if (!lstatSync(at).isSymbolicLink())
        chmodSync(at, edit.mode | (lstatSync(at).isDirectory() ? 0o700 : 0));
      return;
    case "link":
      symlinkSync(bytesOf(edit.to), at);
      return;
    case "hard-link":
      linkSync(at, bytesOf(join(root, edit.to)));
      return;
    case "folder":
      mkdirSync(at, { recursive: true });
      return;
    case "file-instead":
      rmSync(at, { recursive: true, force: true });
      writeFileSync(at, edit.text);
      return;
    case "folder-instead":
      rmSync(at, { recursive: true, force: true });
      mkdirSync(at);
      writeFileSync(bytesOf(join(root, edit.path, "inside")), edit.text);
  }
}

/** Moves the times of all files to the past, so that git trusts them. */
export function makeOld(root: string, tree: Record<string, string>): void {
  const past = new Date(Date.now() - 3_600_000);
  for (const [way, state] of Object.entries(tree)) {
    if (state.startsWith("file")) utimesSync(bytesOf(join(root, way)), past, past);
  }
}

/** Returns every path below a folder with its state. */
export function treeOf(root: string, way = ""): Record<string, string> {
  const tree: Record<string, string> = {};
  const names = readdirSync(bytesOf(join(root, way)), { encoding: "buffer" });
  for (const name of names.map((bytes) => bytes.toString("latin1")).sort()) {
    const here = join(way, name);
    const at = bytesOf(join(root, here));
    const stats = lstatSync(at);
    if (name === ".git" && stats.isDirectory()) continue;
    const mode = (stats.mode & 0o7777).toString(8);
    if (stats.isSymbolicLink()) {
      tree[here] = `link ${readlinkSync(at, { encoding: "buffer" }).toString("latin1")}`;
    } else if (stats.isDirectory()) {
      Object.assign(tree, { [here]: `folder ${mode}` }, treeOf(root, here));
    } else tree[here] = `file ${mode} ${contentsOf(at)}`;
  }
  return tree;
}

function contentsOf(at: Buffer): string {
  try {
    return readFileSync(at).toString("base64");
  } catch {
    return "not readable";
  }
}

function bytesOf(path: string): Buffer {
  return Buffer.from(path, "latin1");
}

/** Returns the name as a program sees it that reads names as UTF-8. */
export function nameOf(path: string): string {
  return bytesOf(path).toString();
}

/** Returns the paths whose states differ. */
export function differing(one: Record<string, string>, other: Record<string, string>): string[] {
  const all = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...all].filter((at) => one[at] !== other[at]);
}
