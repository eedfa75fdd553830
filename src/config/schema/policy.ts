import Type, { type Static } from "typebox";
import { SandboxMode } from "../../protocol/config-types.js";
import { ApprovalsReviewer, AskForApproval } from "../../protocol/policy.js";
import { absent } from "./ignored.js";
import { permissionKeys } from "./permissions.js";
import { setting, TextList, Texts } from "./setting.js";

export const WorkspaceWriteToml = Type.Object(
  {
    writable_roots: setting(TextList, {
      text: "Writable directories besides the working directory.",
      default: [],
      path: true,
    }),
    network_access: setting(Type.Boolean(), {
      text: "Allows commands to use the network.",
      default: false,
      project: [false],
    }),
    exclude_tmpdir_env_var: setting(Type.Boolean(), {
      text: "Makes `$TMPDIR` read-only.",
      default: false,
      project: [true],
    }),
    exclude_slash_tmp: setting(Type.Boolean(), {
      text: "Makes `/tmp` read-only.",
      default: false,
      project: [true],
    }),
  },
  {
    $id: "WorkspaceWriteToml",
    description: 'Sandbox details for `sandbox_mode = "workspace-write"`.',
  },
);
export interface WorkspaceWriteToml extends Static<typeof WorkspaceWriteToml> {}

export const ShellEnvironmentToml = Type.Object(
  {
    inherit: setting(Type.Enum(["all", "core", "none"]), {
      text: "Environment variables that commands inherit; `core` are PATH, HOME and similar.",
      default: "all",
    }),
    ignore_default_excludes: setting(Type.Boolean(), {
      text: "Keeps variables with KEY, SECRET or TOKEN in their name, which are removed by default.",
      default: false,
    }),
    exclude: setting(TextList, {
      text: "Patterns of variables to remove, such as `AWS_*`; case-insensitive.",
      default: [],
    }),
    set: setting(Texts, { text: "Variables to set." }),
    include_only: setting(TextList, {
      text: "If not empty, only variables that match one of these patterns are kept.",
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
    description:
      "Environment of commands: `inherit`, then `exclude`, `set` and `include_only` are applied.",
  },
);
export interface ShellEnvironmentToml extends Static<typeof ShellEnvironmentToml> {}

export const AutoReviewToml = Type.Object(
  {
    policy: setting(Type.String(), {
      text: "Rules for the automatic reviewer, in your words. Where they differ from its own, they hold.",
      since: "0.166",
    }),
  },
  { $id: "AutoReviewToml", description: "The automatic reviewer of approvals." },
);
export interface AutoReviewToml extends Static<typeof AutoReviewToml> {}

/** Sandbox and approval policies. */
export const policyKeys = {
  approval_policy: setting(AskForApproval, {
    text: "Approval policy. Default: `untrusted` in an untrusted project, otherwise `on-request`.",
    default: "on-request",
    project: {
      strictestFirst: [["untrusted"], ["on-request"], ["on-failure", "granular"], ["never"]],
      unset: "on-request",
    },
  }),
  approvals_reviewer: setting(ApprovalsReviewer, {
    text:
      "Reviewer of approval requests. With `auto_review` a small agent with read-only commands " +
      "decides; if it comes to no decision, the user is asked.",
    default: "user",
    since: "0.166",
  }),
  auto_review: setting(AutoReviewToml, { text: "The automatic reviewer.", since: "0.166" }),
  sandbox_mode: setting(SandboxMode, {
    text: "Sandbox mode of commands. Default: `workspace-write` in a project with a trust level, otherwise `read-only`.",
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
  ...permissionKeys,
  hooks: setting(Type.Record(Type.String(), Type.Unknown()), {
    text:
      "Hooks by event, as in `hooks.json`; see [hooks](hooks.md). In your own file also `hooks.state`: " +
      "the hooks that you trust, by key. Hooks that are not understood prevent a session.",
    since: "0.166",
    project: true,
  }),
  shell_environment_policy: setting(ShellEnvironmentToml, {
    text: "Environment of commands.",
  }),
};
