import type { Era } from "../compat/index.js";
import type { ServeListenerOptions } from "../server/listener.js";
import type { CommandIo } from "./command.js";
import { exitCodes } from "./exit-codes.js";
import { requireEra } from "./identity.js";
import { type ConfigValues, toOverrides } from "./options/config-options.js";
import type { ListenValues } from "./options/listen-options.js";
import { explained, toListening } from "./options/listening.js";

/** Serves a protocol where the options say, until its client has left or the program is ended. */
export async function serveSurface(
  values: ListenValues & ConfigValues,
  io: CommandIo,
  load: () => Promise<ServeListenerOptions["serve"]>,
  era: Era = requireEra(io.env),
): Promise<number> {
  const [{ url, access, secretFiles }, flags, { serveListener }, serve] = await Promise.all([
    toListening(values, io),
    toOverrides(values),
    import("../server/listener.js"),
    load(),
  ]);
  const onThread = (live: number) => {
    if (live === manyThreads) void keepYoungSpaceSmall();
  };
  await explained(() =>
    serveListener({ ...io, era, flags, url, access, secretFiles, serve, onThread }),
  );
  return exitCodes.ok;
}

/** From here on memory counts; before, what V8 has kept of our files would no longer fit. */
const manyThreads = 8;

/**
 * Keeps the space for young objects as small as it begins, 1 MB instead of up to 16.
 *
 * What a server's threads throw away lives for one event or for one turn: collecting it in small
 * portions takes no more time, and a server with a hundred threads is a quarter smaller. For our own
 * program only; in the process of somebody else this is not ours to say.
 */
async function keepYoungSpaceSmall(): Promise<void> {
  const { setFlagsFromString } = await import("node:v8");
  setFlagsFromString("--semi-space-growth-factor=1");
}
