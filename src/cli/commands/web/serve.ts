import { resolve } from "node:path";
import { codexHome } from "../../../config/index.js";
import { builtFolder } from "../../built-folder.js";
import type { CommandIo, Values } from "../../command.js";
import { exitCodes, UsageError } from "../../exit-codes.js";
import { requireEra } from "../../identity.js";
import { type ConfigValues, requireKnownKeys, toOverrides } from "../../options/config-options.js";
import { explained, tlsOf } from "../../options/listening.js";
import { announceServer, pageServer, printPairingAddress, webStore } from "./running-server.js";

/** Values of the options of `quire web`. */
interface WebValues extends ConfigValues {
  listen: string;
  "tls-cert": string | undefined;
  "tls-key": string | undefined;
  "tls-self-signed": boolean;
  "plain-http": boolean;
  "allow-host": Values<{ x: { type: "string"; multiple: true; help: string } }>["x"];
}

/** Serves the page and the app-server until the signal aborts. */
export async function serveWeb(values: WebValues, io: CommandIo): Promise<number> {
  const flags = await toOverrides(values);
  if (values["strict-config"]) await requireKnownKeys({ env: io.env, cwd: io.cwd, flags });
  const store = webStore(codexHome(io.env));
  const tls = await certificateOf(values, store, io.cwd);
  const address = await addressOf(values, tls !== undefined);
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
        ...(tls === undefined ? {} : { tls: { cert: tls.cert, key: tls.key } }),
        ...(values["allow-host"] === undefined ? {} : { allowHosts: values["allow-host"] }),
        web: {
          files: builtFolder("web", "index.html"),
          store,
          plainHttp: values["plain-http"] ?? false,
        },
      },
      secretFiles: tls === undefined ? [] : [tls.keyFile],
      serve: serveAppServer,
      tracksRunningItems: true,
      async onListening({ url }) {
        const page = await pageServer(url, tls?.fingerprint);
        await printPairingAddress(store, page, io);
        withdraw = await announceServer(store, page);
      },
    }),
  ).finally(() => withdraw());
  return exitCodes.ok;
}

interface Certificate {
  cert: string;
  key: string;
  keyFile: string;
  /** Fingerprint of a certificate that no authority vouches for. */
  fingerprint?: string;
}

/** Reads the certificate of the options, or creates one. */
async function certificateOf(
  values: WebValues,
  store: string,
  cwd: string,
): Promise<Certificate | undefined> {
  const tls = await tlsOf(values, cwd);
  if (tls !== undefined && values["tls-self-signed"]) {
    throw new UsageError("`--tls-self-signed` cannot be used with --tls-cert and --tls-key");
  }
  if (tls !== undefined) return { ...tls, keyFile: resolve(cwd, values["tls-key"] ?? "") };
  if (!values["tls-self-signed"]) return undefined;
  const { ownCertificate } = await import("../../../transport/web/own-certificate.js");
  return ownCertificate(store);
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
    `${values.listen} can be reached by other machines: encrypt with --tls-cert FILE and --tls-key FILE or with --tls-self-signed, or pass --plain-http to send everything in the clear`,
  );
}
