import { existsSync } from "node:fs";
import { type Check, type CheckContext, Skipped } from "./check.js";
import { checks } from "./checks/index.js";
import { type Options, parseOptions, USAGE } from "./options.js";
import { openPackageCache } from "./package-cache.js";

process.exitCode = await main(process.argv.slice(2)).catch((error: Error) => {
  console.error(`${error.message}\n${USAGE}`);
  return 2;
});

/** Runs the checks one after the other and returns the exit code. */
async function main(args: string[]): Promise<number> {
  const options = parseOptions(args, process.env);
  if (options === "help") {
    console.log(USAGE);
    return 0;
  }
  const wanted = checks.filter((check) => isWanted(check, options));
  if (wanted.length === 0) throw new Error(`no check is named ${options.only.join(" or ")}`);
  if (options.list) {
    for (const { name, short } of wanted) console.log(short ? `${name} (short)` : name);
    return 0;
  }
  if (!existsSync("dist/cli/main.js")) {
    console.log("INTEROP DID NOT RUN: the program is not built; run `npm run build` first.");
    return 1;
  }
  const counts = { ok: 0, FAILED: 0, skipped: 0 };
  const signal = untilInterrupted();
  for (const check of wanted) {
    counts[await run(check, options, signal)]++;
    if (signal.aborted) return 130;
  }
  console.log(`${counts.ok} ok, ${counts.FAILED} failed, ${counts.skipped} skipped`);
  return counts.FAILED > 0 || (options.skipsFail && counts.skipped > 0) ? 1 : 0;
}

function isWanted({ name, short }: Check, options: Options): boolean {
  if (options.short && !short) return false;
  return options.only.length === 0 || options.only.some((part) => name.includes(part));
}

/** Third-party programs have separate process groups, so a terminal would not end them with us. */
function untilInterrupted(): AbortSignal {
  const interrupted = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.once(name, () => interrupted.abort(new Error("the run was interrupted")));
  }
  return interrupted.signal;
}

async function run(
  check: Check,
  { verbose, reference }: Options,
  signal: AbortSignal,
): Promise<"ok" | "FAILED" | "skipped"> {
  const started = Date.now();
  const note = (line: string) => {
    if (verbose) console.log(`    ${line}`);
  };
  const report = (outcome: string, words: string) => {
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    console.log(`${outcome.padEnd(7)} ${check.name} (${seconds} s): ${words}`);
  };
  const context: CheckContext = {
    packages: openPackageCache(process.env, { note, signal }),
    subject: reference ? "reference" : "ours",
    signal,
    note,
  };
  try {
    report("ok", await check.run(context));
    return "ok";
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const outcome = error instanceof Skipped ? "skipped" : "FAILED";
    report(outcome, reason);
    return outcome;
  }
}
