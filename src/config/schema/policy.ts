import Type, { type Static } from "typebox";
import { SandboxMode } from "../../protocol/config-types.js";
import { ApprovalsReviewer, AskForApproval } from "../../protocol/policy.js";
import { absent } from "./ignored.js";
import { setting, TextList, Texts } from "./setting.js";

export const WorkspaceWriteToml = Type.Object(
  {
    writable_roots: setting(TextList, {
      text: "Folders that can be written besides the working folder.",
      default: [],
      path: true,
    }),
    network_access: setting(Type.Boolean(), {
      text: "Whether commands may use the network.",
      default: false,
      project: [false],
    }),
    exclude_tmpdir_env_var: setting(Type.Boolean(), {
      text: "Takes `$TMPDIR` out of what can be written.",
      default: false,
      project: [true],
    }),
    exclude_slash_tmp: setting(Type.Boolean(), {
      text: "Takes `/tmp` out of what can be written.",
      default: false,
      project: [true],
    }),
  },
  {
    $id: "WorkspaceWriteToml",
    description:
      "What commands may do when `sandbox_mode` is `workspace-write`; else without effect.",
  },
);
export interface WorkspaceWriteToml extends Static<typeof WorkspaceWriteToml> {}

export const ShellEnvironmentToml = Type.Object(
  {
    inherit: setting(Type.Enum(["all", "core", "none"]), {
      text: "Which of our environment variables commands start from; `core` are the likes of PATH and HOME.",
      default: "all",
    }),
    ignore_default_excludes: setting(Type.Boolean(), {
      text: "Keeps variables with KEY, SECRET or TOKEN in their name, which are dropped otherwise.",
      default: false,
    }),
    exclude: setting(TextList, {
      text: "Patterns of variables to drop, such as `AWS_*`; case does not matter.",
      default: [],
    }),
    set: setting(Texts, { text: "Variables to set." }),
    include_only: setting(TextList, {
      text: "Patterns of the only variables to keep, when there is one.",
      default: [],
    }),
    filters: absent(),
    experimental_use_profile: setting(Type.Boolean(), {
      text: "Runs commands in a login shell.",
      default: false,
    }),
  },
  {
    $id: "ShellEnvironmentToml",
    description: "The environment of commands: `inherit`, then what is dropped, set and kept.",
  },
);
export interface ShellEnvironmentToml extends Static<typeof ShellEnvironmentToml> {}

/** What commands may do, and when the user is asked. */
export const policyKeys = {
  approval_policy: setting(AskForApproval, {
    text: "When the user is asked. Absent: `untrusted` in an untrusted project, else `on-request`.",
    default: "on-request",
    project: {
      strictestFirst: [["untrusted"], ["on-request"], ["on-failure", "granular"], ["never"]],
      unset: "on-request",
    },
  }),
  approvals_reviewer: setting(ApprovalsReviewer, {
    text:
      "Who reviews approval requests. With `auto_review` the user is asked too, for there is no " +
      "reviewer yet; a request that no client can answer is declined.",
    default: "user",
    since: "0.166",
  }),
  sandbox_mode: setting(SandboxMode, {
    text: "What commands may do. Absent: `workspace-write` in a project with a trust level, else `read-only`.",
    default: "read-only",
    project: {
      strictestFirst: [["read-only"], ["workspace-write"], ["danger-full-access"]],
      unset: "workspace-write",
    },
  }),
  sandbox_workspace_write: setting(WorkspaceWriteToml, {
    text: "Details of `workspace-write`.",
    project: true,
  }),
  default_permissions: setting(Type.String(), {
    text:
      "A permission profile in place of `sandbox_mode`: `:read-only`, `:workspace`, " +
      "`:danger-full-access`, or one of `permissions` that a sandbox mode can stand for. With any " +
      "other no session starts: it would not be enforced.",
    since: "0.166",
    project: [":read-only", ":workspace"],
  }),
  permissions: setting(Type.Record(Type.String(), Type.Unknown()), {
    text:
      "Permission profiles by name. Most are not enforced yet, so no session starts unless " +
      "`default_permissions` chooses a built-in one or one that a sandbox mode can stand for.",
    since: "0.166",
  }),
  hooks: setting(Type.Record(Type.String(), Type.Unknown()), {
    text:
      "Hooks by event, as in `hooks.json`. They do not run yet, so no session starts if one could " +
      "forbid something, unless `features.hooks` is false.",
    since: "0.166",
  }),
  shell_environment_policy: setting(ShellEnvironmentToml, {
    text: "The environment of commands.",
  }),
};
