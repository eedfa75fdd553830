import { statSync } from "node:fs";
import { resolve } from "node:path";
import { configFlags } from "../../config/index.js";
import type { CommandIo, Options } from "../command.js";
import { UsageError } from "../exit-codes.js";
import { requireKnownKeys, toOverrides } from "./config-options.js";
import type { SessionValues } from "./session-options.js";

/** Settings of a thread, as params of `thread/start`. */
export interface ThreadSettings {
  cwd: string;
  model?: string;
  modelProvider?: string;
  approvalPolicy?: "untrusted" | "on-failure" | "on-request" | "never";
  sandbox?: "read-only" | "workspace-write" | "danger-full-access";
  /** Purpose of a new thread. */
  threadSource?: string;
  /** Settings by their dotted names in config.toml. */
  config: Record<string, unknown>;
}

/** A server elsewhere, or a fleet by the address of its broker. */
export interface RemoteServer {
  url: string;
  token?: string;
  /** Set for a fleet: the pool of new threads, if one is named. */
  fleet?: { pool?: string };
}

/** Session requested on the command line. */
export interface SessionRequest {
  thread: ThreadSettings;
  /** Image files for the first message, as absolute paths. */
  images: string[];
  /** Server to connect to, with its token; undefined runs the server in this process. */
  remote: RemoteServer | undefined;
  /** True if hooks run that the user has not trusted. */
  bypassesHookTrust: boolean;
}

/** Environment that the options are resolved in. */
export type SessionIo = Pick<CommandIo, "env" | "cwd">;

/**
 * Converts session options to the params of a client.
 *
 * `config` holds only overrides of the command line; the server reads the user's config.
 */
export async function toSessionRequest(
  values: SessionValues,
  io: SessionIo,
): Promise<SessionRequest> {
  const remote = await remoteOf(values, io.env);
  const cwd = folderOf(values.cd, io.cwd, remote !== undefined);
  const config = await configOf(values, { ...io, cwd }, remote !== undefined);
  if (values["strict-config"]) {
    if (remote !== undefined) {
      throw new UsageError(
        "`--strict-config` and `--remote` cannot be used together: the server reads the config",
      );
    }
    await requireKnownKeys({ ...io, cwd, overrides: config });
  }
  const bypassesHookTrust = values["dangerously-bypass-hook-trust"];
  if (bypassesHookTrust && remote !== undefined) {
    throw new UsageError(
      "`--dangerously-bypass-hook-trust` and `--remote` cannot be used together: the server runs the hooks",
    );
  }
  const isLocal = values.oss && remote === undefined;
  const local = isLocal ? await localModel(values, { ...io, cwd }) : undefined;
  const thread: ThreadSettings = {
    cwd,
    ...(values.model === undefined ? {} : { model: values.model }),
    ...policiesOf(values),
    ...local?.thread,
    config: { ...config, ...local?.config },
  };
  return { thread, images: imagesOf(values.image ?? [], io.cwd), remote, bypassesHookTrust };
}

/** Resolves the policies: an option for one policy overrides a shorthand for both. */
function policiesOf(values: SessionValues): Partial<ThreadSettings> {
  const bypass = values["dangerously-bypass-approvals-and-sandbox"];
  const approval = values["ask-for-approval"] as ThreadSettings["approvalPolicy"];
  const sandbox = values.sandbox as ThreadSettings["sandbox"];
  if (bypass && (approval !== undefined || values["full-auto"])) {
    const other = values["full-auto"] ? "--full-auto" : "-a";
    throw new UsageError(
      `\`--dangerously-bypass-approvals-and-sandbox\` and \`${other}\` cannot be used together`,
    );
  }
  if (bypass) return { approvalPolicy: "never", sandbox: "danger-full-access" };
  const auto = { approvalPolicy: "on-request", sandbox: "workspace-write" } as const;
  return {
    ...(values["full-auto"] ? auto : {}),
    ...(approval === undefined ? {} : { approvalPolicy: approval }),
    ...(sandbox === undefined ? {} : { sandbox }),
  };
}

async function configOf(values: SessionValues, io: SessionIo, isRemote: boolean) {
  const config: Record<string, unknown> = {};
  const put = (name: string, value: unknown) => {
    // The last value wins, so it moves to the end.
    delete config[name];
    config[name] = value;
  };
  for (const [key, value] of flagValues(values, configFlags)) put(key, value);
  const overrides = await toOverrides(values);
  if (overrides.length > 0) {
    const { writeKey } = await import("../../config/index.js");
    for (const { path, value } of overrides) put(writeKey(path), value);
  }
  if (values.search) put("web_search", "live");
  const folders = values["add-dir"] ?? [];
  if (folders.length > 0) {
    // A missing directory may be created by the time a command runs.
    const added = folders.map((folder) => resolve(io.cwd, folder));
    const own = isRemote ? [] : await writableRoots(io, config);
    put("sandbox_workspace_write.writable_roots", [...new Set([...own, ...added])]);
  }
  return config;
}

/** Returns the config keys and values of options that config keys declare. */
export function flagValues(
  values: Readonly<Record<string, unknown>>,
  flags: Options,
): [key: string, value: unknown][] {
  return Object.entries(flags).flatMap(([name, { key, number }]): [string, unknown][] => {
    const value = values[name];
    if (key === undefined || value === undefined || value === false) return [];
    if (number === undefined) return [[key, value]];
    const given = value === "" ? Number.NaN : Number(value);
    const isRight = number === "integer" ? Number.isSafeInteger(given) : Number.isFinite(given);
    if (isRight) return [[key, given]];
    const expected = number === "integer" ? "a whole number" : "a number";
    throw new UsageError(`Expected --${name} to be ${expected} (got ${JSON.stringify(value)})`);
  });
}

/** Returns the writable roots of the user's config, which a list that is sent replaces. */
async function writableRoots(io: SessionIo, overrides: Record<string, unknown>) {
  const { loadConfig } = await import("../../config/index.js");
  const writable = { ...overrides, sandbox_mode: "workspace-write" };
  const { sandbox_policy: policy } = await loadConfig({ ...io, overrides: writable });
  return policy.mode === "workspace-write" ? (policy.writable_roots ?? []) : [];
}

async function localModel(values: SessionValues, io: SessionIo) {
  const { findLocalModel } = await import("./local-model.js");
  return findLocalModel({ provider: values["local-provider"], model: values.model }, io);
}

/** Resolves `--cd`; the directory must exist unless it is on a remote machine. */
function folderOf(given: string | undefined, cwd: string, isRemote: boolean): string {
  if (given === undefined) return cwd;
  const folder = resolve(cwd, given);
  if (isRemote || statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new UsageError(`Expected --cd to be a directory (got ${folder})`);
}

function imagesOf(given: readonly string[], cwd: string): string[] {
  const files = given.flatMap((list) => list.split(",")).filter((file) => file !== "");
  const missing = files.find(
    (file) => !statSync(resolve(cwd, file), { throwIfNoEntry: false })?.isFile(),
  );
  if (missing !== undefined)
    throw new UsageError(`--image: no such file: ${resolve(cwd, missing)}`);
  return files.map((file) => resolve(cwd, file));
}

async function remoteOf(
  values: SessionValues,
  env: SessionIo["env"],
): Promise<SessionRequest["remote"]> {
  const { remote, fleet, pool, "remote-auth-token-env": variable } = values;
  if (fleet !== undefined) {
    const other = remote === undefined ? variable && "--remote-auth-token-env" : "--remote";
    if (other) throw new UsageError(`\`--fleet\` and \`${other}\` cannot be used together`);
    return { url: fleet, fleet: pool === undefined ? {} : { pool } };
  }
  if (pool !== undefined) throw new UsageError("--pool requires --fleet URL");
  if (remote === undefined) {
    if (variable === undefined) return undefined;
    throw new UsageError("--remote-auth-token-env requires --remote URL");
  }
  const url = remote === "unix://" ? await ownSocket(env) : remote;
  if (variable === undefined) return { url };
  const token = env[variable];
  if (!token)
    throw new UsageError(`--remote-auth-token-env: environment variable ${variable} is not set`);
  return { url, token };
}

/** Address of a server started with `--listen unix://`. */
async function ownSocket(env: SessionIo["env"]): Promise<string> {
  const [{ codexHome }, { controlSocket }] = await Promise.all([
    import("../../config/index.js"),
    import("./listening.js"),
  ]);
  return `unix://${controlSocket(codexHome(env))}`;
}
