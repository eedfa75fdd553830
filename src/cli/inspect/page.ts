import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type InspectionState, PageFeed } from "../../inspect/index.js";
import { builtFolder } from "../built-folder.js";
import { UsageError } from "../exit-codes.js";
import { explained } from "../options/listening.js";

/** The live page of an inspection. */
export interface InspectionPage {
  /** Address with a code that pairs one browser. */
  address: string;
  feed: PageFeed;
  close(): Promise<void>;
}

/** Serves the page on a loopback address; browsers are paired for this inspection only. */
export async function servePage(given: string, state: InspectionState): Promise<InspectionPage> {
  const listen = given === "" ? "127.0.0.1:0" : given;
  const url = `ws://${listen}`;
  const { isLoopback, parseAddress } = await import("../../transport/address.js");
  await explained(async () => {
    const parsed = parseAddress(url);
    if ("host" in parsed && isLoopback(parsed.host)) return;
    throw new UsageError(
      `Expected --page to be a loopback address, such as 127.0.0.1:4600 (got ${listen}): the page shows whole conversations`,
    );
  });
  const [{ listenWeb }, { PairingCodes }] = await Promise.all([
    import("../../transport/web/listen-web.js"),
    import("../../transport/web/pairing-codes.js"),
  ]);
  const feed = new PageFeed(state);
  const store = await mkdtemp(join(tmpdir(), "quire-inspect-"));
  const discard = () => rm(store, { recursive: true, force: true });
  let address = "";
  let close = discard;
  try {
    await explained(async () => {
      const parsed = parseAddress(url);
      if (!("host" in parsed))
        throw new UsageError(`Expected --page to be HOST:PORT (got ${listen})`);
      const web = { files: builtFolder("inspect", "index.html"), store };
      const options = {
        onConnection: (channel: Parameters<PageFeed["serve"]>[0]) => void feed.serve(channel),
      };
      const listener = await listenWeb(parsed, options, web);
      address = `${listener.url.replace(/^ws/, "http")}/#pair=${new PairingCodes(store).create()}`;
      close = async () => {
        await feed.close();
        await listener.close();
        await discard();
      };
    });
  } catch (error) {
    await discard();
    throw error;
  }
  return { address, feed, close: () => close() };
}
