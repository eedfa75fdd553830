import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../config/index.js";
import { CodexError } from "../../protocol/error.js";
import { boundTo, deniedIn, rulesOfPolicy, withDenied } from "../../protocol/rules-of-policy.js";
import type { ConfigureSessionOp } from "../../protocol/types.js";
import { type EnforcedPolicy, enforcedPolicy } from "../../sandbox/index.js";
import type { Server } from "../server.js";

/** Files that permission rules deny, for methods that do not belong to a thread. */
export interface DeniedFiles {
  /** Returns true if a path is denied. */
  has(path: string): boolean;
}

/**
 * Finds what the settings or a loaded thread deny; undefined if nothing is denied.
 *
 * A client acts as the user, so everything else is permitted.
 */
export async function deniedFilesOf(server: Server): Promise<DeniedFiles | undefined> {
  const { readGuard } = server.parts;
  if (readGuard === undefined) return undefined;
  const guards = await Promise.all(
    (await denyingConfigs(server)).map((config) => readGuard(enforcedPolicy(config), config.cwd)),
  );
  const found = guards.filter((guard) => guard !== undefined);
  if (found.length === 0) return undefined;
  return { has: (path) => found.some((guard) => guard.isDenied(path)) };
}

/** Returns the policy of a command of a client, with all that the settings or a loaded thread deny. */
export async function withDeniedFiles(
  policy: EnforcedPolicy,
  server: Server,
): Promise<EnforcedPolicy> {
  const denied = (await denyingConfigs(server)).flatMap(({ permissions, cwd }) =>
    boundTo([cwd], deniedIn(permissions)),
  );
  if (denied.length === 0) return policy;
  return { ...policy, rules: withDenied(policy.rules ?? rulesOfPolicy(policy), denied) };
}

/** Returns the settings of a new session and of the loaded threads that deny something. */
async function denyingConfigs({ parts: { loadConfig }, threads }: Server): Promise<Config[]> {
  const sessions = new Map<string, ConfigureSessionOp>();
  const add = (op: Omit<ConfigureSessionOp, "type">) =>
    sessions.set(JSON.stringify(op), { type: "configure_session", ...op });
  add({});
  for (const { settings } of threads.all()) {
    const { cwd, permissionProfile: profile } = settings;
    add({ cwd, ...(profile === undefined ? {} : { active_permission_profile: profile }) });
  }
  const configs = await Promise.all(
    // No session can start with an invalid file, which the client may be about to correct.
    [...sessions.values()].map((op) => loadConfig(op).catch(ignoreInvalid)),
  );
  return configs.filter(
    (config): config is Config => config !== undefined && deniedIn(config.permissions).length > 0,
  );
}

/** Throws if a path is denied, or with `recursive` anything below it. */
export async function assertPermitted(
  server: Server,
  paths: readonly string[],
  { recursive = false } = {},
): Promise<void> {
  const denied = await deniedFilesOf(server);
  if (denied === undefined) return;
  for (const path of paths) {
    const below = recursive ? await readdir(path, { recursive: true }).catch(() => []) : [];
    const found = [path, ...below.map((name) => join(path, name))].find((one) => denied.has(one));
    if (found === undefined) continue;
    throw new CodexError("io", `Permission denied (os error 13): ${found}`);
  }
}

function ignoreInvalid(error: unknown): undefined {
  if (!(error instanceof CodexError) || error.code !== "config") throw error;
}
