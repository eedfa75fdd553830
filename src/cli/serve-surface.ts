import type { Era } from "../compat/index.js";
import type { Override } from "../config/index.js";
import type { ServeListenerOptions } from "../server/index.js";
import type { CommandIo } from "./command.js";
import { exitCodes } from "./exit-codes.js";
import { requireEra } from "./identity.js";
import { type ConfigValues, requireKnownKeys, toOverrides } from "./options/config-options.js";
import type { ListenValues } from "./options/listen-options.js";
import { explained, type Listening, toListening } from "./options/listening.js";

/** Serves a protocol at the address of the options until its client disconnects or the signal aborts. */
export async function serveSurface(
  values: ListenValues & ConfigValues,
  io: CommandIo,
  load: () => Promise<ServeListenerOptions["serve"]>,
  era: Era = requireEra(io.env),
): Promise<number> {
  if (values["strict-config"]) {
    await requireKnownKeys({ env: io.env, cwd: io.cwd, flags: await toOverrides(values) });
  }
  return serveAt(await toListening(values, io), await toOverrides(values), io, load, era);
}

/** Serves a protocol at an address, as `serveSurface` does. */
export async function serveAt(
  listening: Listening & Pick<ServeListenerOptions, "buffers" | "terminals">,
  flags: readonly Override[],
  io: CommandIo,
  load: () => Promise<ServeListenerOptions["serve"]>,
  era: Era = requireEra(io.env),
): Promise<number> {
  const [{ serveListener }, serve] = await Promise.all([import("../server/serve.js"), load()]);
  const onThread = (live: number) => {
    if (live === manyThreads) void keepYoungSpaceSmall();
  };
  await explained(() => serveListener({ ...io, era, flags, ...listening, serve, onThread }));
  return exitCodes.ok;
}

/** Thread count from which memory matters more; changing V8 flags earlier would invalidate its code cache. */
const manyThreads = 8;

/**
 * Keeps V8's young generation at its initial 1 MB instead of up to 16 MB.
 *
 * Garbage of threads lives for one event or one turn: collecting it in small portions takes no more
 * time, and a server with a hundred threads is a quarter smaller. Only for our own program, never in
 * the process of an embedder.
 */
async function keepYoungSpaceSmall(): Promise<void> {
  const { setFlagsFromString } = await import("node:v8");
  setFlagsFromString("--semi-space-growth-factor=1");
}
