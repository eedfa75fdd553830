import type { SandboxPolicy } from "./rpc/v2/policy.js";

/**
 * A choice of permissions that clients offer to the user.
 *
 * @internal
 */
export interface PermissionPreset {
  id: "read-only" | "auto" | "full-access";
  label: string;
  description: string;
  approval: "on-request" | "never";
  sandbox: "read-only" | "workspace-write" | "danger-full-access";
  policy: SandboxPolicy;
}

/**
 * The choices, from the most to the least restricted one.
 *
 * @internal
 */
export const permissionPresets: readonly PermissionPreset[] = [
  {
    id: "read-only",
    label: "Read only",
    description: "Read files; ask before editing files or running other commands",
    approval: "on-request",
    sandbox: "read-only",
    policy: { type: "readOnly", networkAccess: false },
  },
  {
    id: "auto",
    label: "Auto",
    description: "Edit files in this folder and run commands in the sandbox; ask for anything else",
    approval: "on-request",
    sandbox: "workspace-write",
    policy: {
      type: "workspaceWrite",
      writableRoots: [],
      networkAccess: false,
      excludeTmpdirEnvVar: false,
      excludeSlashTmp: false,
    },
  },
  {
    id: "full-access",
    label: "Full access",
    description: "No sandbox, no approvals, full network access",
    approval: "never",
    sandbox: "danger-full-access",
    policy: { type: "dangerFullAccess" },
  },
];
