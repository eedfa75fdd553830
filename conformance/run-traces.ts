import { type Comparison, compare, isClean } from "./compare/compare.js";
import { type Deviation, deviationOf } from "./deviations.js";
import type { Options } from "./options.js";
import { oneAtATime, runPool } from "./pool.js";
import { canHavePrivateEtc } from "./replay/private-etc.js";
import { replay } from "./replay/replay.js";
import type { Result } from "./result.js";
import { editTrace } from "./trace/edit-trace.js";
import type { Trace } from "./trace/trace.js";

/** Options for running one trace. */
type RunOptions = Pick<Options, "program" | "timeoutMs" | "eventsOnly">;

/**
 * Replays traces against the program, several at a time, and judges each.
 *
 * A trace is one of the possible outcomes of a race: one that differs is run again when no other runs.
 */
export async function runTraces(
  traces: Trace[],
  deviations: Map<string, Deviation>,
  options: RunOptions & Pick<Options, "jobs" | "retries">,
): Promise<Result[]> {
  const run = (trace: Trace) =>
    timed(() => runTrace(trace, deviationOf(trace, deviations), options));
  const alone = oneAtATime();
  const results = await runPool(traces, options.jobs, (trace) =>
    needsLoginPort(trace) ? alone(() => run(trace)) : run(trace),
  );
  for (const [index, trace] of traces.entries()) {
    for (let runs = 2; results[index]?.status === "failed" && runs <= options.retries + 1; runs++) {
      results[index] = { ...(await run(trace)), runs };
    }
  }
  return results;
}

async function timed(job: () => Promise<Result>): Promise<Result> {
  const started = performance.now();
  const result = await job();
  return { ...result, runs: 1, ms: Math.round(performance.now() - started) };
}

/** Replays one trace and returns its result, with regard to a deviation. */
export async function runTrace(
  trace: Trace,
  deviation: Deviation | undefined,
  options: RunOptions,
): Promise<Result> {
  const base = { kind: "trace" as const, group: trace.group, name: trace.name };
  if (trace.meta.etc_codex !== undefined && !(await canHavePrivateEtc())) {
    const reason =
      "needs a private /etc/codex: root on Linux, and a system that can mount overlays";
    return { ...base, status: "not run", differences: [reason] };
  }
  try {
    const expected = editTrace(trace, deviation?.edits ?? []);
    const observed = await replay(expected, options);
    const only = (one: Comparison) => (options.eventsOnly ? { ...one, requests: [] } : one);
    const recorded = only(compare(trace, observed));
    const wanted = deviation?.edits.length ? only(compare(expected, observed)) : recorded;
    const halves = { events: wanted.events.length === 0, requests: wanted.requests.length === 0 };
    return { ...base, ...halves, ...judge(recorded, wanted, deviation) };
  } catch (error) {
    return {
      ...base,
      status: "failed",
      differences: [`the kit failed: ${(error as Error).message}`],
    };
  }
}

function judge(
  recorded: Comparison,
  wanted: Comparison,
  deviation: Deviation | undefined,
): Pick<Result, "status" | "differences"> {
  const differences = [...wanted.events, ...wanted.requests];
  if (!deviation) return { status: isClean(recorded) ? "passed" : "failed", differences };
  if (isClean(recorded)) {
    return { status: "failed", differences: ["stale deviation: the trace passes as recorded"] };
  }
  if (deviation.edits.length === 0 || isClean(wanted))
    return { status: "deviation", differences: [] };
  return { status: "failed", differences };
}

/** Logins open a fixed port, so only one of them can run at a time. */
function needsLoginPort(trace: Trace): boolean {
  return trace.client.some(({ msg }) => /loginChatGpt|"type":"chatgpt"/.test(JSON.stringify(msg)));
}
