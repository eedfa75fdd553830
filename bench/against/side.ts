import { readdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { PackageCache } from "../../interop/package-cache.js";
import { references } from "../../interop/reference-versions.js";

/** A program under comparison. */
export interface Side {
  /** Such as `quire` or `codex 0.166.0`. */
  name: string;
  kind: "ours" | "reference" | "bare";
  /** The command of its app-server. */
  appServer: string[];
  /** The command of one turn, before the prompt; the bare program has none. */
  exec?: string[];
  /** The command of its terminal UI; the bare program has none. */
  tui?: string[];
  /** The model that its config names, one it knows and gives all tools. */
  model: string;
  /** The folder that an installation takes; ours is packed and installed first. */
  installed?: string;
}

/** Ours as it is built. */
export function ourSide(): Side {
  return builtSide(".", "quire");
}

/** Ours as built in a clone, such as one of an earlier commit. */
export function builtSide(folder: string, name = `quire in ${basename(folder)}`): Side {
  return quireSide(name, [process.execPath, resolve(folder, "bin/quire.js")]);
}

/** Ours as a single file, made by `npm run executable`. */
export function executableSide(file: string): Side {
  return quireSide(`quire as ${file}`, [resolve(file)]);
}

function quireSide(name: string, quire: string[]): Side {
  return {
    name,
    kind: "ours",
    appServer: [...quire, "app-server"],
    exec: [...quire, "exec", "--skip-git-repo-check"],
    tui: quire,
    model: references["0.166.0"],
  };
}

/** The limit of the machine: a Node program that does nothing but the wire. */
export function bareSide(): Side {
  const appServer = [process.execPath, resolve("bench/bare/app-server.mjs")];
  return { name: "bare Node", kind: "bare", appServer, model: "bare" };
}

/** A published version of the reference; its native program, without the script before it. */
export async function referenceSide(version: string, packages: PackageCache): Promise<Side> {
  const [, script = ""] = await packages.program("@openai/codex", version);
  const installed = script.slice(0, script.lastIndexOf("/@openai/"));
  const program = await findNative(installed);
  return {
    name: `codex ${version}`,
    kind: "reference",
    appServer: [program, "app-server"],
    exec: [program, "exec", "--skip-git-repo-check"],
    tui: [program],
    model: modelOf(version),
    installed,
  };
}

function modelOf(version: string): string {
  const known: Record<string, string> = references;
  return known[version] ?? references["0.166.0"];
}

async function findNative(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true });
  const found = files.find((file) => /\/vendor\/[^/]+\/(codex|bin)\/codex$/.test(file));
  if (found === undefined) throw new Error(`${folder} holds no native program`);
  return join(folder, found);
}
