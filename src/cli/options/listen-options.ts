import { join, resolve } from "node:path";
import type { Access } from "../../server/listener.js";
import type { ServerTls, ServerToken } from "../../transport/index.js";
import type { CommandIo, Options, Values } from "../command.js";
import { UsageError } from "../usage-error.js";

/** The options of everything that serves clients: where, and who is let in. */
export const listenOptions = {
  listen: {
    type: "string",
    value: "URL",
    default: "stdio://",
    help: "Where: stdio://, unix://PATH, or tcp, ws, h2 or grpc://HOST:PORT",
  },
  stdio: { type: "boolean", hidden: true, help: "The same as --listen stdio://" },
  "token-file": {
    type: "string",
    value: "FILE",
    help: "Clients must show the token in this file, which only you may read (0600)",
  },
  "token-sha256": { type: "string", value: "HEX", help: "The SHA-256 of the token, instead of it" },
  "jwt-secret-file": {
    type: "string",
    value: "FILE",
    help: "Clients must show a JWT signed with the secret in this file (HS256, 0600)",
  },
  "jwt-key-file": {
    type: "string",
    value: "FILE",
    help: "Clients must show a JWT signed for the public key in this file (RS256)",
  },
  "jwt-issuer": { type: "string", value: "NAME", help: "Who the JWT must come from" },
  "jwt-audience": { type: "string", value: "NAME", help: "Who the JWT must be for" },
  "jwt-clock-skew": { type: "string", value: "SECONDS", help: "How far clocks may differ" },
  "allow-origin": {
    type: "string",
    multiple: true,
    value: "ORIGIN",
    help: "Let pages of this origin in; without it only programs are",
  },
  "allow-host": {
    type: "string",
    multiple: true,
    value: "NAME",
    help: "A name this server may be called by, besides localhost",
  },
  "tls-cert": { type: "string", value: "FILE", help: "The certificate, as PEM: speak TLS" },
  "tls-key": { type: "string", value: "FILE", help: "The key of the certificate" },
  "ws-auth": {
    type: "string",
    hidden: true,
    choices: ["capability-token", "signed-bearer-token"],
    help: "Follows from the other options",
  },
  "ws-token-file": { type: "string", aliasOf: "token-file", help: "" },
  "ws-token-sha256": { type: "string", aliasOf: "token-sha256", help: "" },
  "ws-shared-secret-file": { type: "string", aliasOf: "jwt-secret-file", help: "" },
  "ws-issuer": { type: "string", aliasOf: "jwt-issuer", help: "" },
  "ws-audience": { type: "string", aliasOf: "jwt-audience", help: "" },
  "ws-max-clock-skew-seconds": { type: "string", aliasOf: "jwt-clock-skew", help: "" },
} as const satisfies Options;

/** The values of these options. */
export type ListenValues = Values<typeof listenOptions>;

/** Where to listen, and who is let in. */
export interface Listening {
  url: string;
  access: Access;
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
  if (isStdio(values) && Object.keys(access).length > 0) {
    throw new UsageError(
      "Standard input has one client, whom nobody needs to let in: add --listen",
    );
  }
  return { url: isStdio(values) ? "stdio://" : await urlOf(values.listen, io), access };
}

/** Runs a server; what is wrong with its address or its secrets is a matter of what was typed. */
export async function explained(serve: () => Promise<void>): Promise<void> {
  const { TransportError } = await import("../../transport/error.js");
  try {
    await serve();
  } catch (error) {
    if (error instanceof TransportError) throw new UsageError(hinted(error.code, error.message));
    throw error;
  }
}

function hinted(code: string, message: string): string {
  return code === "not_private"
    ? `${message} (--token-file FILE, --tls-cert and --tls-key)`
    : message;
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
