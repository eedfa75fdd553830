import { resolve } from "node:path";
import type { EngineParts } from "../../../engine/index.js";
import { CodexError } from "../../../protocol/error.js";
import type { ApprovalsReviewer } from "../../../protocol/rpc/v2/policy.js";
import type {
  ThreadResumeParams,
  ThreadStartParams,
} from "../../../protocol/rpc/v2/thread-start.js";
import type { ConfigureSessionOp } from "../../../protocol/types.js";
import type { V2Connection } from "../connection.js";
import { toEngineApproval } from "../policy.js";

/** The settings that `thread/start`, `thread/resume` and `thread/fork` have in common. */
export type SettingsParams = Pick<
  ThreadStartParams & ThreadResumeParams,
  | "model"
  | "modelProvider"
  | "cwd"
  | "approvalPolicy"
  | "approvalsReviewer"
  | "sandbox"
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
  assertUserReviews(params.approvalsReviewer);
  return {
    config: {
      ...params.config,
      ...(sandbox === undefined ? {} : { sandbox_mode: sandbox }),
      ...(params.developerInstructions === undefined
        ? {}
        : { developer_instructions: params.developerInstructions }),
    },
    ...(params.cwd === undefined ? {} : { cwd: resolve(cwd, params.cwd) }),
    ...(model === undefined ? {} : { model }),
    ...(modelProvider === undefined ? {} : { model_provider: modelProvider }),
    ...(approvalPolicy === undefined ? {} : { approval_policy: toEngineApproval(approvalPolicy) }),
    ...(baseInstructions === undefined ? {} : { instructions: baseInstructions }),
    ...(personality === undefined ? {} : { personality }),
  };
}

/** Throws unless approvals go to the user: there is nobody else to ask. */
export function assertUserReviews(reviewer: ApprovalsReviewer | undefined): void {
  if (reviewer === undefined || reviewer === "user") return;
  const message = `approvalsReviewer \`${reviewer}\` is not supported: only the user is asked.`;
  throw new CodexError("unsupported", message);
}

/** What of the engine is made anew for the threads of a client: they are its own, unless it has us inside. */
export function partsFor(connection: V2Connection): Partial<EngineParts> {
  const { client, engineParts, server } = connection;
  if (server.parts.host !== undefined) return engineParts;
  return { ...engineParts, source: "vscode", ...(client && { originator: client.name }) };
}
