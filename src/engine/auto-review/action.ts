import { createHash } from "node:crypto";
import type {
  ApplyPatchApprovalRequestEvent,
  ExactAction,
  ExecApprovalRequestEvent,
  GuardianAction,
} from "../../protocol/types.js";
import { joinWords } from "../../shell/index.js";
import type { AskedPermissions } from "../../tools/index.js";
import type { TurnContext } from "../turn-context.js";

/** A request for approval, with all that the decision is about. */
export type ReviewedRequest =
  | {
      kind: "command";
      request: Omit<ExecApprovalRequestEvent, "type">;
      source: "shell" | "unified_exec";
      /** The command would run without a sandbox. */
      isUnconfined: boolean;
    }
  | { kind: "patch"; request: Omit<ApplyPatchApprovalRequestEvent, "type"> }
  | { kind: "permissions"; request: AskedPermissions };

/** The call that needs approval. */
export interface ReviewedCall {
  callId: string;
  context: TurnContext;
  reviewed: ReviewedRequest;
}

/** Returns the action as events describe it. */
export function toAction(reviewed: ReviewedRequest, cwd: string): GuardianAction {
  switch (reviewed.kind) {
    case "command": {
      const { command, cwd } = reviewed.request;
      return { type: "command", source: reviewed.source, command: joinWords(command), cwd };
    }
    case "patch":
      return { type: "apply_patch", cwd, files: Object.keys(reviewed.request.changes) };
    case "permissions": {
      const { reason, permissions } = reviewed.request;
      return {
        type: "request_permissions",
        ...(reason == null ? {} : { reason }),
        permissions,
      };
    }
  }
}

/** Returns the action to the letter, for the time after a resume. */
export function toExactAction(reviewed: ReviewedRequest): ExactAction {
  return { key: keyOf(reviewed), text: describeAction(reviewed) };
}

/** Returns a hash that is the same only for the same action, whatever reason the model gives. */
export function keyOf(reviewed: ReviewedRequest): string {
  return createHash("sha256").update(identityOf(reviewed)).digest("hex");
}

function identityOf(reviewed: ReviewedRequest): string {
  switch (reviewed.kind) {
    case "command": {
      const { command, cwd } = reviewed.request;
      return JSON.stringify(["command", command, cwd, reviewed.isUnconfined]);
    }
    case "patch":
      return JSON.stringify(["patch", reviewed.request.changes]);
    case "permissions":
      return JSON.stringify(["permissions", reviewed.request.permissions]);
  }
}

/** Returns the action for the reviewer, one JSON value on each line. */
export function describeAction(reviewed: ReviewedRequest): string {
  const lines = linesOf(reviewed).filter((line) => Object.values(line)[0] !== undefined);
  return lines.map((line) => JSON.stringify(line)).join("\n");
}

function linesOf(reviewed: ReviewedRequest): object[] {
  switch (reviewed.kind) {
    case "command": {
      const { command, cwd, reason } = reviewed.request;
      const sandbox = reviewed.isUnconfined ? "none: full access" : "as for all its commands";
      return [{ run_command: command }, { cwd }, { sandbox }, { reason_of_agent: reason }];
    }
    case "patch": {
      const { changes, reason, grant_root } = reviewed.request;
      const files = Object.entries(changes).map(([path, change]) => ({
        change_file: path,
        change,
      }));
      return [...files, { grants_writing_in: grant_root }, { reason_of_agent: reason }];
    }
    case "permissions": {
      const { permissions, reason } = reviewed.request;
      return [{ grant_permissions_for_turn: permissions }, { reason_of_agent: reason }];
    }
  }
}
