import { join, resolve } from "node:path";
import { CodexError } from "../../protocol/error.js";
import type { Access } from "../../server/index.js";
import type { ServerTls, ServerToken } from "../../transport/index.js";
import type { CommandIo } from "../command.js";
import { UsageError } from "../exit-codes.js";
import type { ListenValues } from "./listen-options.js";

/** Address of a listener, and the clients it accepts. */
export interface Listening {
  url: string;
  access: Access;
  /** Secret files of the listener, hidden from commands. */
  secretFiles: string[];
}

type ListenIo = Pick<CommandIo, "env" | "cwd">;

/** Returns true if the only client is on standard input and output. */
export function isStdio(values: ListenValues): boolean {
  return values.stdio || values.listen.startsWith("stdio:");
}

/** Converts the options to those of a listener; file names are relative to the working directory. */
export async function toListening(values: ListenValues, io: ListenIo): Promise<Listening> {
  const { "allow-origin": allowOrigins, "allow-host": allowHosts } = values;
  const token = tokenOf(values, io.cwd);
  const tls = await tlsOf(values, io.cwd);
  const access: Access = {
    ...(token === undefined ? {} : { token }),
    ...(tls === undefined ? {} : { tls }),
    ...(allowOrigins === undefined ? {} : { allowOrigins }),
    ...(allowHosts === undefined ? {} : { allowHosts }),
  };
  const isIpc = values.listen.startsWith("ipc:");
  if ((isStdio(values) || isIpc) && Object.keys(access).length > 0) {
    const what = isIpc ? "An IPC channel" : "Standard input";
    throw new UsageError(
      `${what} has a single client: TLS, token and --allow options need --listen with another address`,
    );
  }
  const url = isStdio(values) ? "stdio://" : await urlOf(values.listen, io);
  return { url, access, secretFiles: secretFilesOf(values, io.cwd) };
}

/** Runs a server; reports a wrong address or secret as a usage error. */
export async function explained(serve: () => Promise<void>): Promise<void> {
  const { TransportError } = await import("../../transport/error.js");
  try {
    await serve();
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    const { code, message } = error;
    if (code === "not_private") {
      throw new UsageError(`${message} (--token-file FILE, --tls-cert and --tls-key)`);
    }
    if (code === "bad_url" || code === "bad_token") throw new UsageError(message);
    throw new CodexError("io", message, { cause: error });
  }
}

/** Resolves `unix://` without a path to the control socket in the home directory. */
async function urlOf(url: string, { env }: ListenIo): Promise<string> {
  if (url !== "unix://") return url;
  const [{ codexHome }, { mkdir }] = await Promise.all([
    import("../../config/index.js"),
    import("node:fs/promises"),
  ]);
  const path = controlSocket(codexHome(env));
  await mkdir(join(path, ".."), { recursive: true, mode: 0o700 });
  return `unix://${path}`;
}

/** Default socket of the app-server of a user. */
export function controlSocket(home: string): string {
  return join(home, "app-server-control", "app-server-control.sock");
}

function secretFilesOf(values: ListenValues, cwd: string): string[] {
  const files = [values["token-file"], values["jwt-secret-file"], values["tls-key"]];
  return files.flatMap((file) => (file === undefined ? [] : [resolve(cwd, file)]));
}

function tokenOf(values: ListenValues, cwd: string): ServerToken | undefined {
  const { "token-file": file, "token-sha256": sha256 } = values;
  const signed = signedOf(values, cwd);
  const rules = [
    ...(file === undefined ? [] : [{ file: resolve(cwd, file) }]),
    ...(sha256 === undefined ? [] : [{ sha256 }]),
    ...(signed === undefined ? [] : [signed]),
  ];
  if (rules.length > 1) {
    throw new UsageError(
      "--token-file, --token-sha256, --jwt-secret-file and --jwt-key-file cannot be used together",
    );
  }
  return rules[0];
}

function signedOf(values: ListenValues, cwd: string): ServerToken | undefined {
  const { "jwt-secret-file": secretFile, "jwt-key-file": publicKeyFile } = values;
  const { "jwt-issuer": issuer, "jwt-audience": audience, "jwt-clock-skew": skew } = values;
  if (secretFile === undefined && publicKeyFile === undefined) {
    if (issuer === undefined && audience === undefined && skew === undefined) return undefined;
    throw new UsageError(
      "--jwt-issuer, --jwt-audience and --jwt-clock-skew require --jwt-secret-file or --jwt-key-file",
    );
  }
  if (secretFile !== undefined && publicKeyFile !== undefined) {
    throw new UsageError("`--jwt-secret-file` and `--jwt-key-file` cannot be used together");
  }
  if (skew !== undefined && !/^\d{1,5}$/.test(skew)) {
    throw new UsageError(`Expected --jwt-clock-skew to be a number of seconds (got ${skew})`);
  }
  const key =
    secretFile === undefined
      ? { publicKeyFile: resolve(cwd, publicKeyFile ?? "") }
      : { secretFile: resolve(cwd, secretFile) };
  return {
    signed: {
      key,
      ...(issuer === undefined ? {} : { issuer }),
      ...(audience === undefined ? {} : { audience }),
      ...(skew === undefined ? {} : { clockSkewSeconds: Number(skew) }),
    },
  };
}

/** Reads the certificate and its key. */
export async function tlsOf(
  values: Pick<ListenValues, "tls-cert" | "tls-key">,
  cwd: string,
): Promise<ServerTls | undefined> {
  const { "tls-cert": cert, "tls-key": key } = values;
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    throw new UsageError("TLS requires both --tls-cert and --tls-key");
  }
  return {
    cert: await readPem("--tls-cert", cert, cwd),
    key: await readPem("--tls-key", key, cwd),
  };
}

async function readPem(option: string, file: string, cwd: string): Promise<string> {
  const { readFile } = await import("node:fs/promises");
  return readFile(resolve(cwd, file), "utf8").catch((error: Error) => {
    throw new UsageError(`Cannot read ${option} ${file}: ${error.message}`);
  });
}
