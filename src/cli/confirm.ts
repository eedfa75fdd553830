import { createInterface } from "node:readline/promises";
import type { CommandIo } from "./command.js";
import { Interrupted } from "./exit-codes.js";

/**
 * Asks the user for confirmation; only `y` and `yes` confirm.
 *
 * Returns undefined without a terminal. Throws `Interrupted` on Ctrl-C.
 */
export async function confirm(
  question: string,
  { stdin, stderr, signal }: Pick<CommandIo, "stdin" | "stderr" | "signal">,
): Promise<boolean | undefined> {
  if (!stdin.isTTY || !stderr.isTTY) return undefined;
  const lines = createInterface({ input: stdin, output: stderr });
  const left = new Promise<string>((done, interrupt) => {
    lines.once("close", () => done(""));
    lines.once("SIGINT", () => interrupt(new Interrupted("SIGINT")));
  });
  try {
    const answer = await Promise.race([lines.question(`${question} [y/N] `, { signal }), left]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
