import type { Era } from "../compat/index.js";
import type { ServeListenerOptions } from "../server/listener.js";
import type { CommandIo } from "./command.js";
import { requireEra } from "./era.js";
import { exitCodes } from "./exit-codes.js";
import { type ConfigValues, toOverrides } from "./options/config-options.js";
import type { ListenValues } from "./options/listen-options.js";
import { explained, toListening } from "./options/listening.js";
import { keepYoungSpaceSmall } from "./small-young-space.js";

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
