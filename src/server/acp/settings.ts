import type { AskForApproval, SandboxPolicy } from "../../protocol/rpc/v2/policy.js";
import type { ThreadSettings } from "../../protocol/rpc/v2/thread-settings.js";
import type { ThreadStartResponse } from "../../protocol/rpc/v2/thread-start.js";

/** Settings of a session that the editor shows. */
export interface SessionSettings {
  model: string;
  effort: ThreadStartResponse["reasoningEffort"];
  approvalPolicy: AskForApproval;
  sandbox: SandboxPolicy;
  /** Name of the permission profile, if one is active. */
  profile: string | undefined;
  mode: "default" | "plan";
  /** Further workspace directories of the editor. */
  directories: string[];
}

type Opened = ThreadStartResponse & { collaborationMode?: { mode: "default" | "plan" } | null };

/** Reads the settings of a thread that was opened. */
export function openedSettings(opened: Opened, directories: string[]): SessionSettings {
  return {
    model: opened.model,
    effort: opened.reasoningEffort,
    approvalPolicy: opened.approvalPolicy,
    sandbox: opened.sandbox,
    profile: opened.activePermissionProfile?.id,
    mode: opened.collaborationMode?.mode ?? "default",
    directories,
  };
}

/** Reads the settings of a notification. */
export function changedSettings(settings: ThreadSettings, directories: string[]): SessionSettings {
  return {
    model: settings.model,
    effort: settings.effort,
    approvalPolicy: settings.approvalPolicy,
    sandbox: settings.sandboxPolicy,
    profile: settings.activePermissionProfile?.id,
    mode: settings.collaborationMode.mode,
    directories,
  };
}
