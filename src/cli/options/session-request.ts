import { statSync } from "node:fs";
import { resolve } from "node:path";
import { CodexError } from "../../protocol/error.js";
import type { CommandIo } from "../command.js";
import { UsageError } from "../exit-codes.js";
import { toOverrides } from "./config-options.js";
import type { SessionValues } from "./session-options.js";

/** What the options say of a thread, as `thread/start` takes it. */
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

/** A conversation as the command line asks for it. */
export interface SessionRequest {
  thread: ThreadSettings;
  /** Files of pictures for the first message, as absolute paths. */
  images: string[];
  /** The server to work with, and how to be let in, when it is not this program itself. */
  remote: { url: string; token?: string } | undefined;
}

/** What of the world is needed to read the options. */
export type SessionIo = Pick<CommandIo, "env" | "cwd">;

/**
 * Turns the options of a conversation into what a client sends.
 *
 * `config` holds only what was asked for here; the server has the user's own settings.
 */
export async function toSessionRequest(
  values: SessionValues,
  io: SessionIo,
): Promise<SessionRequest> {
  const remote = await remoteOf(values, io.env);
  const cwd = folderOf(values.cd, io.cwd, remote !== undefined);
  const config = await configOf(values, { ...io, cwd }, remote !== undefined);
  if (values["strict-config"]) await requireKnownKeys({ ...io, cwd }, config);
  const isLocal = values.oss && remote === undefined;
  const local = isLocal ? await localModel(values, { ...io, cwd }) : undefined;
  const thread: ThreadSettings = {
    cwd,
    ...(values.model === undefined ? {} : { model: values.model }),
    ...policiesOf(values),
    ...local?.thread,
    config: { ...config, ...local?.config },
  };
  return { thread, images: imagesOf(values.image ?? [], io.cwd), remote };
}

async function requireKnownKeys(io: SessionIo, overrides: Record<string, unknown>): Promise<void> {
  const { ignoredText, loadConfig } = await import("../../config/index.js");
  const { ignored } = await loadConfig({ ...io, overrides });
  if (ignored.length > 0)
    throw new CodexError("config", `--strict-config: ${ignoredText(ignored)}`);
}

/** Flags that stand for both policies come first; what is said of one by itself wins. */
function policiesOf(values: SessionValues): Partial<ThreadSettings> {
  const bypass = values["dangerously-bypass-approvals-and-sandbox"];
  const approval = values["ask-for-approval"] as ThreadSettings["approvalPolicy"];
  const sandbox = values.sandbox as ThreadSettings["sandbox"];
  if (bypass && (approval !== undefined || values["full-auto"])) {
    const other = values["full-auto"] ? "--full-auto" : "-a";
    throw new UsageError(
      `--dangerously-bypass-approvals-and-sandbox asks nothing at all; leave it or ${other} away`,
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
    // What is given last wins, so it stands last.
    delete config[name];
    config[name] = value;
  };
  if (values.profile !== undefined) put("profile", values.profile);
  const overrides = await toOverrides(values);
  if (overrides.length > 0) {
    const { writeKey } = await import("../../config/index.js");
    for (const { path, value } of overrides) put(writeKey(path), value);
  }
  if (values.search) put("web_search", "live");
  const folders = values["add-dir"] ?? [];
  if (folders.length > 0) {
    // One that is not there yet may be made by the time a command runs.
    const added = folders.map((folder) => resolve(io.cwd, folder));
    const own = isRemote ? [] : await writableRoots(io, config);
    put("sandbox_workspace_write.writable_roots", [...new Set([...own, ...added])]);
  }
  return config;
}

/** Those that the user's own settings name: a list that is sent takes their place. */
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

/** A folder here must be there; one of another machine is that machine's to judge. */
function folderOf(given: string | undefined, cwd: string, isRemote: boolean): string {
  if (given === undefined) return cwd;
  const folder = resolve(cwd, given);
  if (isRemote || statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new UsageError(`${folder} is not a directory`);
}

function imagesOf(given: readonly string[], cwd: string): string[] {
  const files = given.flatMap((list) => list.split(",")).filter((file) => file !== "");
  const missing = files.find(
    (file) => !statSync(resolve(cwd, file), { throwIfNoEntry: false })?.isFile(),
  );
  if (missing !== undefined) throw new UsageError(`No image file at ${resolve(cwd, missing)}`);
  return files.map((file) => resolve(cwd, file));
}

async function remoteOf(
  values: SessionValues,
  env: SessionIo["env"],
): Promise<SessionRequest["remote"]> {
  const { remote, "remote-auth-token-env": variable } = values;
  if (remote === undefined) {
    if (variable === undefined) return undefined;
    throw new UsageError("--remote-auth-token-env is for --remote URL");
  }
  const url = remote === "unix://" ? await ownSocket(env) : remote;
  if (variable === undefined) return { url };
  const token = env[variable];
  if (!token) throw new UsageError(`--remote-auth-token-env: the variable ${variable} is not set`);
  return { url, token };
}

/** A server that was started with `--listen unix://` waits there. */
async function ownSocket(env: SessionIo["env"]): Promise<string> {
  const [{ codexHome }, { controlSocket }] = await Promise.all([
    import("../../config/index.js"),
    import("./listening.js"),
  ]);
  return `unix://${controlSocket(codexHome(env))}`;
}
