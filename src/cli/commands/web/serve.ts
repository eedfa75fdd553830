import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { codexHome } from "../../../config/index.js";
import { CodexError } from "../../../protocol/error.js";
import type { CommandIo, Values } from "../../command.js";
import { exitCodes, UsageError } from "../../exit-codes.js";
import { requireEra } from "../../identity.js";
import { type ConfigValues, requireKnownKeys, toOverrides } from "../../options/config-options.js";
import { explained, tlsOf } from "../../options/listening.js";
import { announceServer, printPairingAddress, webStore } from "./running-server.js";

/** Values of the options of `quire web`. */
interface WebValues extends ConfigValues {
  listen: string;
  "tls-cert": string | undefined;
  "tls-key": string | undefined;
  "plain-http": boolean;
  "allow-host": Values<{ x: { type: "string"; multiple: true; help: string } }>["x"];
}

/** Serves the page and the app-server until the signal aborts. */
export async function serveWeb(values: WebValues, io: CommandIo): Promise<number> {
  const flags = await toOverrides(values);
  if (values["strict-config"]) await requireKnownKeys({ env: io.env, cwd: io.cwd, flags });
  const tls = await tlsOf(values, io.cwd);
  const address = await addressOf(values, tls !== undefined);
  const store = webStore(codexHome(io.env));
  const [{ serveListener }, { serveAppServer }] = await Promise.all([
    import("../../../server/serve.js"),
    import("../../../server/app-server.js"),
  ]);
  let withdraw = () => {};
  await explained(() =>
    serveListener({
      ...io,
      era: requireEra(io.env),
      flags,
      url: address,
      access: {
        ...(tls === undefined ? {} : { tls }),
        ...(values["allow-host"] === undefined ? {} : { allowHosts: values["allow-host"] }),
        web: { files: pageFolder(), store, plainHttp: values["plain-http"] ?? false },
      },
      secretFiles: values["tls-key"] === undefined ? [] : [join(io.cwd, values["tls-key"])],
      serve: serveAppServer,
      tracksRunningItems: true,
      async onListening({ url }) {
        const server = await announceServer(store, url);
        withdraw = server.withdraw;
        await printPairingAddress(store, server.url, io);
      },
    }),
  ).finally(() => withdraw());
  return exitCodes.ok;
}

/** Checks the address, so that the error can name the options of this command. */
async function addressOf(values: WebValues, hasTls: boolean): Promise<string> {
  const { isLoopback, parseAddress } = await import("../../../transport/address.js");
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(values.listen) ?? [];
  if (host === undefined || Number(port) > 65535 || values.listen.includes("/")) {
    throw new UsageError(
      `Expected --listen to be HOST:PORT, such as 127.0.0.1:4500 or [::1]:0 (got ${values.listen})`,
    );
  }
  const url = `${hasTls ? "wss" : "ws"}://${values.listen}`;
  const parsed = parseAddress(url);
  const isLocal = "host" in parsed && isLoopback(parsed.host);
  if (isLocal || hasTls || values["plain-http"]) return url;
  throw new UsageError(
    `${values.listen} can be reached by other machines: encrypt with --tls-cert FILE and --tls-key FILE, or pass --plain-http to send everything in the clear`,
  );
}

/** Returns the directory of the built page, beside the program or in the checkout. */
function pageFolder(): string {
  // A path in the built program, a URL otherwise.
  const here = import.meta.url.startsWith("file:")
    ? fileURLToPath(import.meta.url)
    : import.meta.url;
  for (let folder = dirname(here); folder !== dirname(folder); folder = dirname(folder)) {
    const found = join(folder, "dist/web");
    if (existsSync(join(found, "index.html"))) return found;
  }
  throw new CodexError("io", `There is no dist/web beside ${here}: run \`npm run build\``);
}
