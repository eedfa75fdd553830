import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Scene } from "./scene.js";

/** Output of a client in one step. */
export type Seen = Readonly<Record<string, unknown>>;

/**
 * Runs a program of `interop/programs` to its step `end`: it uses a third-party client and reports its
 * output.
 */
export async function runClient(
  scene: Scene,
  file: string,
  options: object,
): Promise<Map<string, Seen>> {
  const path = resolve("interop/programs", file);
  await using program = scene.start([process.execPath, path, JSON.stringify(options)]);
  const seen = new Map<string, Seen>();
  for (;;) {
    const { step, ...what } = await program.until("a step", (line) => "step" in line);
    if (step === "end") return seen;
    seen.set(String(step), what);
  }
}

/** Throws with both sides when a client saw something else. */
export function expectSeen(seen: Map<string, Seen>, step: string, expected: Seen): void {
  const actual = seen.get(step);
  if (isDeepStrictEqual(actual, expected)) return;
  const [is, was] = [actual, expected].map((value) => JSON.stringify(value));
  throw new Error(`in the step ${step} the client saw ${is}, not ${was}`);
}
