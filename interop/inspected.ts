import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Entry } from "../src/inspect/index.js";
import type { Scene } from "./scene.js";
import { inspectedFolder } from "./subject.js";

/**
 * Returns how many messages the inspectors of a scene have seen; throws if they have seen none. `speaksRpc` is false
 * for clients of `exec`, whose lines are no messages of the app-server.
 */
export async function inspectedText(scene: Scene, speaksRpc = true): Promise<string> {
  const folder = inspectedFolder(scene);
  const texts = await Promise.all(
    (await readdir(folder)).map((name) => readFile(join(folder, name), "utf8")),
  );
  const entries = texts.flatMap((text) => text.split("\n").filter(Boolean)).map(parseEntry);
  if (entries.length === 0) throw new Error("the inspector has seen no message");
  if (!speaksRpc) return `${entries.length} lines passed through the inspector`;
  const problems = entries.flatMap(({ from, method, problems }) =>
    problems.map((problem) => `${from} ${method ?? ""}: ${problem}`),
  );
  const some = [...new Set(problems)].slice(0, 5).join("; ");
  const found = problems.length === 0 ? "" : ` (${some})`;
  return `${entries.length} messages inspected, ${problems.length} invalid${found}`;
}

function parseEntry(line: string): Entry {
  return JSON.parse(line) as Entry;
}
