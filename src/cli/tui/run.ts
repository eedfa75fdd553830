import { systemClock } from "../../lib/clock.js";
import type { ReviewTarget } from "../../protocol/sqeq/events/review.js";
import { type FirstThread, ProcessTerminal, runTui } from "../../tui/index.js";
import type { CommandIo } from "../command.js";
import { UsageError } from "../exit-codes.js";
import { productTitle, requireEra } from "../identity.js";
import type { SessionValues } from "../options/session-options.js";
import { type SessionRequest, toSessionRequest } from "../options/session-request.js";
import { connectTui } from "./connect.js";
import { createTuiHost } from "./host.js";

/** Start options of the terminal UI. */
export interface TuiStart {
  first: FirstThread;
  prompt?: string | undefined;
  /** Target of a review to start with, as in `review/start`. */
  review?: ReviewTarget;
}

/** Runs the terminal UI; resolves with the exit code. */
export async function runTuiCommand(
  { first, prompt, review }: TuiStart,
  values: SessionValues,
  io: CommandIo,
): Promise<number> {
  if (!io.stdin.isTTY || !io.stdout.isTTY) {
    throw new UsageError(
      "The terminal UI requires a terminal. Use `quire exec` in scripts and pipes",
    );
  }
  const era = requireEra(io.env);
  const request = await toSessionRequest(values, io);
  const client = await connectTui(request, io, era);
  const title = productTitle(era.compatibleWith);
  const { cwd, config } = request.thread;
  const host = createTuiHost({ title, cwd, config, remoteUrl: request.remote?.url }, io);
  const { approvalPolicy, sandbox } = request.thread;
  const terminal = new ProcessTerminal();
  // Restore the terminal however the program ends.
  const restoreTerminal = () => {
    terminal.stop();
    terminal.showCursor();
  };
  process.once("uncaughtExceptionMonitor", restoreTerminal);
  const gone = new AbortController();
  for (const name of ["end", "error"]) io.stdin.on(name, () => gone.abort());
  try {
    return await runTui({
      server: client,
      ...(client.reconnection === undefined ? {} : { reconnection: client.reconnection }),
      terminal,
      host,
      clock: systemClock,
      ...(request.remote === undefined ? { check: () => checkConfig(request, io) } : {}),
      request: { ...request.thread },
      first,
      prompt,
      images: request.images,
      ...(review === undefined ? {} : { review }),
      signal: AbortSignal.any([io.signal, gone.signal]),
      isRemote: request.remote !== undefined,
      hasPermissions: approvalPolicy !== undefined || sandbox !== undefined,
    });
  } finally {
    process.removeListener("uncaughtExceptionMonitor", restoreTerminal);
    await client.close();
    await host.close();
  }
}

async function checkConfig({ thread }: SessionRequest, { env }: CommandIo): Promise<void> {
  const { requireEnforceable } = await import("../user-config.js");
  const { cwd, config: overrides } = thread;
  await requireEnforceable({ env, cwd, overrides }, { mustLoad: true });
}
