import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { CheckContext } from "./check.js";
import type { Scene } from "./scene.js";

/** The program that clients of others are given, as a path that ends in `codex`. */
export async function linkSubject(
  scene: Scene,
  { subject, packages, inspects = false }: CheckContext,
  referenceVersion = "0.166.0",
): Promise<string> {
  const [, theirs = ""] =
    subject === "ours" ? [] : await packages.program("@openai/codex", referenceVersion);
  const script = subject === "ours" ? resolve("bin/quire.js") : theirs;
  return inspects ? linkInspected(scene, script) : scene.link(script);
}

/** Folder of the messages that the inspectors of a scene have seen, a file for each. */
export function inspectedFolder({ workspace }: Scene): string {
  return join(dirname(workspace), "inspected");
}

/** Creates a program named `codex` that is the inspector with another one behind it. */
async function linkInspected(scene: Scene, script: string): Promise<string> {
  const folder = join(dirname(scene.workspace), "bin");
  await mkdir(folder);
  await mkdir(inspectedFolder(scene));
  const program = join(folder, "codex");
  const inspect = [process.execPath, resolve("bin/quire.js"), "inspect", "--format", "jsonl"];
  const output = `-o "${inspectedFolder(scene)}/$$.jsonl"`;
  const line = `exec ${inspect.join(" ")} ${output} -- ${process.execPath} "${script}" "$@"`;
  await writeFile(program, `#!/bin/sh\n${line}\n`);
  await chmod(program, 0o755);
  return program;
}
