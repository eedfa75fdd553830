import { resolve } from "node:path";
import type { CheckContext } from "./check.js";
import type { Scene } from "./scene.js";

/** The program that clients of others are given, as a path that ends in `codex`. */
export async function linkSubject(
  scene: Scene,
  { subject, packages }: CheckContext,
  referenceVersion = "0.166.0",
): Promise<string> {
  if (subject === "ours") return scene.link(resolve("bin/quire.js"));
  const [, script = ""] = await packages.program("@openai/codex", referenceVersion);
  return scene.link(script);
}
