import { realpath } from "node:fs/promises";
import { relative, resolve } from "node:path";
import type { EngineParts } from "../../../engine/index.js";
import type {
  ThreadResumeParams,
  ThreadStartParams,
} from "../../../protocol/rpc/v2/thread-start.js";
import type { ConfigureSessionOp } from "../../../protocol/types.js";
import type { Server } from "../../server.js";
import type { V2Connection } from "../connection.js";
import { toEngineApproval, toEngineReviewer, toProfilePolicy } from "../policy.js";

/** The settings that `thread/start`, `thread/resume` and `thread/fork` have in common. */
export type SettingsParams = Pick<
  ThreadStartParams & ThreadResumeParams,
  | "model"
  | "modelProvider"
  | "cwd"
  | "approvalPolicy"
  | "approvalsReviewer"
  | "sandbox"
  | "permissions"
  | "config"
  | "baseInstructions"
  | "developerInstructions"
  | "personality"
>;

/** The settings of a client as the engine takes them; what is absent is left to the config. */
export function toSettingsOp(
  params: SettingsParams,
  cwd: string,
): Omit<ConfigureSessionOp, "type"> {
  const { model, modelProvider, approvalPolicy, sandbox, baseInstructions, personality } = params;
  const profile = params.permissions;
  if (profile !== undefined) toProfilePolicy(profile, { sandbox }); // throws unless it is one of ours
  return {
    config: {
      ...params.config,
      ...(sandbox === undefined ? {} : { sandbox_mode: sandbox }),
      ...(profile === undefined ? {} : { default_permissions: profile }),
      ...(params.developerInstructions === undefined
        ? {}
        : { developer_instructions: params.developerInstructions }),
    },
    ...(params.cwd === undefined ? {} : { cwd: resolve(cwd, params.cwd) }),
    ...(model === undefined ? {} : { model }),
    ...(modelProvider === undefined ? {} : { model_provider: modelProvider }),
    ...(approvalPolicy === undefined ? {} : { approval_policy: toEngineApproval(approvalPolicy) }),
    ...toEngineReviewer(params.approvalsReviewer),
    ...(baseInstructions === undefined ? {} : { instructions: baseInstructions }),
    ...(personality === undefined ? {} : { personality }),
  };
}

/**
 * Whether a recorded conversation continues under its own policies.
 *
 * A file from outside the home may be from anyone, so it decides nothing; a program that runs us
 * inside (exec, the terminal UI, the library) has read the config of today and means that.
 */
export async function keepsPolicies(path: string, { parts, home }: Server): Promise<boolean> {
  if (parts.program !== undefined) return false;
  const [realHome, realFile] = await Promise.all([realpath(home), realpath(path)]);
  return !relative(realHome, realFile).startsWith("..");
}

/** What of the engine is made anew for the threads of a client: they are its own, unless it has us inside. */
export function partsFor(connection: V2Connection): Partial<EngineParts> {
  const { client, engineParts, server } = connection;
  if (server.parts.program !== undefined) return engineParts;
  return { ...engineParts, source: "vscode", ...(client && { originator: client.name }) };
}
