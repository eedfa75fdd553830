import { type EraName, eraOf } from "../../compat/index.js";
import {
  createValueRedactor,
  type InspectionState,
  Inspector,
  MessageRules,
  type ProcessEnd,
} from "../../inspect/index.js";
import { variableSecrets } from "../../lib/redact.js";
import type { CommandIo } from "../command.js";
import { exitCodes } from "../exit-codes.js";
import { readProtocols } from "../schema/read-protocol.js";
import { inspectClients } from "./listen.js";
import { isPiped, openOutputs } from "./outputs.js";
import { servePage } from "./page.js";
import { type InspectPlan, type InspectValues, planInspection } from "./plan.js";
import { inspectStdio } from "./stdio.js";

/** Inspects the clients of a server until the last one has left; returns the exit code of the server. */
export async function runInspect(
  values: InspectValues,
  operands: readonly string[],
  io: CommandIo,
): Promise<number> {
  const plan = await planInspection(values, operands, io);
  const redact = values["no-redact"]
    ? (value: unknown) => value
    : createValueRedactor(variableSecrets(io.env));
  const protocolOf = await readProtocols();
  const outputs = await openOutputs(values, plan, io, redact);
  const inspector = new Inspector({
    rulesOf: cached((era) => new MessageRules(protocolOf({ era: eraOf(era), experimental: true }))),
    era: plan.era,
    translateTo: plan.translateTo,
    redact,
    now: stopwatch(),
    observer: outputs,
  });
  const state = stateOf(plan, inspector);
  const page = values.page === undefined ? undefined : await servePage(values.page, state);
  if (page !== undefined) {
    outputs.showOn(page.feed, (era) => {
      state.era = era;
      page.feed.update();
    });
    outputs.note(`page at ${page.address}`);
  }
  const parts = { plan, inspector, outputs, io, sharesErrors: !isPiped(io) };
  let end: ProcessEnd = { code: null, signal: null };
  let isWritten = true;
  try {
    end = plan.listening === undefined ? await inspectStdio(parts) : await inspectClients(parts);
  } finally {
    const { client, server, invalid } = inspector.counts;
    const exit = end.signal ?? (end.code === null ? "" : `exit code ${end.code}`);
    const counts = `${client + server} messages (${client} of clients, ${server} of servers), ${invalid} invalid`;
    outputs.note(exit === "" ? counts : `${counts}; ${exit}`);
    state.ended = exit === "" ? "The connection ended" : `The server ended: ${exit}`;
    await page?.close();
    const ended_by = end.signal === null ? "stdin closed" : "signal";
    isWritten = await outputs.close({ exit_code: end.code, ended_by });
  }
  const code = exitCode(end, values.strict && inspector.counts.invalid > 0, io);
  // The program exits when its standard error is written, which would be never.
  if (!isWritten && io.stderr === process.stderr) process.exit(code);
  return code;
}

/** Ends as the server has ended; a signal that ended it ends this process, too. */
function exitCode({ code, signal }: ProcessEnd, isWrong: boolean, io: CommandIo): number {
  if (signal !== null && io.stdout === process.stdout && deadly.has(signal)) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }
  if (signal !== null) return 128 + (signalNumbers[signal] ?? 0);
  return isWrong && (code ?? 0) === 0 ? exitCodes.failed : (code ?? exitCodes.ok);
}

const signalNumbers: Partial<Record<NodeJS.Signals, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGTERM: 15,
};

/** Signals that leave no memory dump of this process behind. */
const deadly: ReadonlySet<string> = new Set(["SIGHUP", "SIGINT", "SIGKILL", "SIGTERM"]);

/** The counts are read when the state is sent. */
function stateOf({ server, era }: InspectPlan, { counts }: Inspector): InspectionState {
  return {
    server: "command" in server ? server.command.join(" ") : server.url,
    era: era ?? null,
    get messages() {
      return counts.client + counts.server;
    },
    get invalid() {
      return counts.invalid;
    },
    ended: null,
  };
}

function cached(create: (era: EraName) => MessageRules): (era: EraName) => MessageRules {
  const known = new Map<EraName, MessageRules>();
  return (era) => {
    const rules = known.get(era) ?? create(era);
    known.set(era, rules);
    return rules;
  };
}

function stopwatch(): () => number {
  const started = performance.now();
  return () => Math.round((performance.now() - started) * 1000) / 1000;
}
