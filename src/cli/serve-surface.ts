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
): Promise<number> {
  const era = requireEra(io.env);
  const [{ url, access }, flags, { serveListener }, serve] = await Promise.all([
    toListening(values, io),
    toOverrides(values),
    import("../server/listener.js"),
    load(),
  ]);
  let isSettled = false;
  // Not before the first turn is over: nothing may make that one wait.
  const onTurnEnd = () => {
    if (!isSettled) void keepYoungSpaceSmall();
    isSettled = true;
  };
  await explained(() => serveListener({ ...io, era, flags, url, access, serve, onTurnEnd }));
  return exitCodes.ok;
}
