import { resolve } from "node:path";
import type { CheckContext } from "./check.js";
import type { Scene } from "./scene.js";

/** The program that clients of others are given, as a path that ends in `codex`. */
export async function linkSubject(scene: Scene, context: CheckContext): Promise<string> {
  return scene.link(await subjectProgram(context));
}

/** The same without the name, and what to call it in words. */
export async function subjectProgram({ subject, packages }: CheckContext): Promise<string> {
  if (subject === "ours") return resolve("bin/quire.js");
  const [, script = ""] = await packages.program("@openai/codex", "0.166.0");
  return script;
}
