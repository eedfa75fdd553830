import Type, { type Static } from "typebox";
import { Nullish, since, taggedUnion } from "./schema.js";

export const AskForApproval = Type.Enum(["untrusted", "on-failure", "on-request", "never"], {
  $id: "AskForApproval",
  description:
    "When a command needs approval: unless it is known to be safe (`untrusted`), after it failed in the sandbox (`on-failure`), when the model requests it (`on-request`), or `never`.",
});
/** When a command needs approval. */
export type AskForApproval = Static<typeof AskForApproval>;

export const ApprovalsReviewer = Type.Enum(["user", "auto_review", "guardian_subagent"], {
  $id: "ApprovalsReviewer",
  description:
    "Reviewer of approval requests. With `auto_review` a small agent with read-only commands decides; if it comes to no decision the user is asked, and a request that no client can answer is declined. `guardian_subagent` is the older name of `auto_review`.",
});
/** Reviewer of approval requests. */
export type ApprovalsReviewer = Static<typeof ApprovalsReviewer>;

export const DangerFullAccessPolicy = Type.Object(
  { mode: Type.Literal("danger-full-access") },
  { $id: "DangerFullAccessPolicy", description: "No restrictions on files or network." },
);
export interface DangerFullAccessPolicy extends Static<typeof DangerFullAccessPolicy> {}

export const ReadOnlyPolicy = Type.Object(
  { mode: Type.Literal("read-only") },
  { $id: "ReadOnlyPolicy", description: "Read access to all files; no writes, no network." },
);
export interface ReadOnlyPolicy extends Static<typeof ReadOnlyPolicy> {}

export const WorkspaceWritePolicy = Type.Object(
  {
    mode: Type.Literal("workspace-write"),
    writable_roots: Type.Optional(
      Type.Array(Type.String(), {
        description: "Writable directories in addition to `cwd`, `/tmp` and `$TMPDIR`.",
      }),
    ),
    network_access: Type.Optional(
      Type.Boolean({ description: "Allows network access. Default: false." }),
    ),
    exclude_tmpdir_env_var: Type.Optional(
      Type.Boolean({ description: "Excludes `$TMPDIR` from the writable directories." }),
    ),
    exclude_slash_tmp: Type.Optional(
      Type.Boolean({ description: "Excludes `/tmp` from the writable directories." }),
    ),
  },
  {
    $id: "WorkspaceWritePolicy",
    description: "Read access to all files; write access to the workspace.",
  },
);
export interface WorkspaceWritePolicy extends Static<typeof WorkspaceWritePolicy> {}

export const ExternalSandboxPolicy = Type.Object(
  {
    mode: Type.Literal("external-sandbox"),
    network_access: Type.Optional(
      Type.Enum(["restricted", "enabled"], {
        description: "Network access of the external sandbox. Default: `restricted`.",
      }),
    ),
  },
  {
    $id: "ExternalSandboxPolicy",
    description: "The program runs in an external sandbox; commands get no additional one.",
  },
);
export interface ExternalSandboxPolicy extends Static<typeof ExternalSandboxPolicy> {}

/** Sandbox policy for commands. */
export type SandboxPolicy =
  | DangerFullAccessPolicy
  | ReadOnlyPolicy
  | WorkspaceWritePolicy
  | ExternalSandboxPolicy;
export const SandboxPolicy = taggedUnion(
  "SandboxPolicy",
  "mode",
  [DangerFullAccessPolicy, ReadOnlyPolicy, WorkspaceWritePolicy, ExternalSandboxPolicy],
  "Sandbox policy for commands.",
);

export const ActivePermissionProfile = Type.Object(
  {
    id: since(
      "0.166",
      Type.String({ description: "Name, such as `:workspace` or one of `permissions`." }),
    ),
    extends: since(
      "0.166",
      Nullish(Type.String(), { description: "Its parent; ignored in requests." }),
    ),
  },
  {
    $id: "ActivePermissionProfile",
    description: "A permission profile by name. It decides instead of the sandbox policy.",
  },
);
export interface ActivePermissionProfile extends Static<typeof ActivePermissionProfile> {}

export const WritableRoot = Type.Object(
  {
    root: Type.String({ description: "Writable directory, including everything below it." }),
    read_only_subpaths: Type.Array(Type.String(), {
      description: "Paths below it that stay read-only, such as `.git`.",
    }),
  },
  { $id: "WritableRoot", description: "A writable directory with its read-only exceptions." },
);
export interface WritableRoot extends Static<typeof WritableRoot> {}
