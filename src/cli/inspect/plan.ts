import { resolve } from "node:path";
import type { EraName } from "../../compat/index.js";
import type { CommandIo, Values } from "../command.js";
import { UsageError } from "../exit-codes.js";
import type { ListenValues } from "../options/listen-options.js";
import { isStdio, type Listening, toListening } from "../options/listening.js";

/** Values of the options of `quire inspect`. */
export interface InspectValues extends ListenValues {
  era: string | undefined;
  format: string;
  output: string | undefined;
  "only-invalid": boolean;
  strict: boolean;
  record: string | undefined;
  "no-redact": boolean;
  "translate-to": string | undefined;
  page: Values<{ page: { type: "string"; help: string } }>["page"];
  "remote-auth-token-env": string | undefined;
  as?: string | undefined;
}

/** Server, clients and files of an inspection, checked before anything starts. */
export interface InspectPlan {
  /** Command of the server, or its address. */
  server: { command: string[] } | { url: string; token: string | undefined };
  /** Address for clients; undefined: the only client is on standard input and output. */
  listening: Listening | undefined;
  era: EraName | undefined;
  translateTo: EraName | undefined;
  /** Environment of the server: that of the user, without the options of the inspector. */
  env: CommandIo["env"];
  output: string | undefined;
  record: string | undefined;
}

/** Reads the options; throws a `UsageError` if they make no sense together. */
export async function planInspection(
  values: InspectValues,
  operands: readonly string[],
  io: CommandIo,
): Promise<InspectPlan> {
  const listening = isStdio(values) ? undefined : await toListening(values, io);
  if (listening === undefined) await toListening(values, io); // checks the options of clients
  if (listening?.url.startsWith("ipc:")) {
    throw new UsageError(
      "`quire inspect` cannot listen on ipc://: use stdio:// or another address",
    );
  }
  if (listening !== undefined && values.record !== undefined) {
    throw new UsageError(
      "`--record` and `--listen` cannot be used together: a trace has one client, on standard input",
    );
  }
  return {
    server: serverOf(values, operands, io),
    listening,
    era: values.era as EraName | undefined,
    translateTo: values["translate-to"] as EraName | undefined,
    env: environment(values, io),
    output: values.output === undefined ? undefined : resolve(io.cwd, values.output),
    record: values.record === undefined ? undefined : resolve(io.cwd, values.record),
  };
}

function serverOf(
  { "remote-auth-token-env": variable }: InspectValues,
  operands: readonly string[],
  { env }: CommandIo,
): InspectPlan["server"] {
  const [first, ...others] = operands[0] === "--" ? operands.slice(1) : operands;
  if (first === undefined || first === "") {
    throw new UsageError(
      "`quire inspect` needs the server: `quire inspect -- codex app-server` or `quire inspect ws://HOST:PORT`",
    );
  }
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(first)) {
    if (variable === undefined) return { command: [first, ...others] };
    throw new UsageError("--remote-auth-token-env needs the URL of a server, not a command");
  }
  if (others.length > 0) {
    throw new UsageError(`Unexpected argument ${JSON.stringify(others[0])} after the URL ${first}`);
  }
  const token = variable === undefined ? undefined : env[variable];
  if (variable !== undefined && !token) {
    throw new UsageError(`--remote-auth-token-env: ${variable} is not set or empty`);
  }
  return { url: first, token };
}

/** `--era` and `--as` are put into the environment for other commands; the server must not get them. */
function environment(values: InspectValues, { env }: CommandIo): CommandIo["env"] {
  return {
    ...env,
    ...(values.era === undefined ? {} : { QUIRE_ERA: process.env.QUIRE_ERA }),
    ...(values.as === undefined ? {} : { QUIRE_AS: process.env.QUIRE_AS }),
  };
}
