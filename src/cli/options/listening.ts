import { join, resolve } from "node:path";
import { CodexError } from "../../protocol/error.js";
import type { Access } from "../../server/listener.js";
import type { ServerTls, ServerToken } from "../../transport/index.js";
import type { CommandIo } from "../command.js";
import { UsageError } from "../exit-codes.js";
import type { ListenValues } from "./listen-options.js";

/** Where to listen, and who is let in. */
export interface Listening {
  url: string;
  access: Access;
  /** Files with secrets of the listener, which commands must not read. */
  secretFiles: string[];
}

type ListenIo = Pick<CommandIo, "env" | "cwd">;

/** Whether there is one client only, on standard input and output. */
export function isStdio(values: ListenValues): boolean {
  return values.stdio || values.listen.startsWith("stdio:");
}

/** Turns the options into what a listener takes; files are named as seen from the working folder. */
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
      `${what} has one client, whom nobody needs to let in: add --listen with another address`,
    );
  }
  const url = isStdio(values) ? "stdio://" : await urlOf(values.listen, io);
  return { url, access, secretFiles: secretFilesOf(values, io.cwd) };
}

/** Runs a server; what is wrong with its address or its secrets is a matter of what was typed. */
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

/** `unix://` alone is the socket in the home of the user. */
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

/** Where a server of the user is found when nobody says where. */
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
      "Give one of --token-file, --token-sha256, --jwt-secret-file, --jwt-key-file",
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
      "--jwt-issuer, --jwt-audience and --jwt-clock-skew need --jwt-secret-file",
    );
  }
  if (secretFile !== undefined && publicKeyFile !== undefined) {
    throw new UsageError("Give --jwt-secret-file or --jwt-key-file, not both");
  }
  if (skew !== undefined && !/^\d{1,5}$/.test(skew)) {
    throw new UsageError(`--jwt-clock-skew needs a number of seconds, not ${skew}`);
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

async function tlsOf(values: ListenValues, cwd: string): Promise<ServerTls | undefined> {
  const { "tls-cert": cert, "tls-key": key } = values;
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    throw new UsageError("TLS needs both --tls-cert and --tls-key");
  }
  const { readFile } = await import("node:fs/promises");
  const read = (file: string) => readFile(resolve(cwd, file), "utf8");
  return { cert: await read(cert), key: await read(key) };
}
