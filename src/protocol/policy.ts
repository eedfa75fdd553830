import Type, { type Static } from "typebox";
import { taggedUnion } from "./schema.js";

export const AskForApproval = Type.Enum(["untrusted", "on-failure", "on-request", "never"], {
  $id: "AskForApproval",
  description:
    "When the user is asked before a command runs: for all but known safe commands (`untrusted`), " +
    "after a failure in the sandbox (`on-failure`), when the model asks for it (`on-request`), " +
    "or `never`.",
});
/** When the user is asked before a command runs. */
export type AskForApproval = Static<typeof AskForApproval>;

export const ApprovalsReviewer = Type.Enum(["user", "auto_review", "guardian_subagent"], {
  $id: "ApprovalsReviewer",
  description:
    "Who reviews approval requests. `auto_review` asks for an automatic reviewer: there is none " +
    "yet, so the user is asked, and a request that no client can answer is declined. " +
    "`guardian_subagent` is the older name of `auto_review`.",
});
/** Who reviews approval requests. */
export type ApprovalsReviewer = Static<typeof ApprovalsReviewer>;

export const DangerFullAccessPolicy = Type.Object(
  { mode: Type.Literal("danger-full-access") },
  { $id: "DangerFullAccessPolicy", description: "No limits on disk or network." },
);
export interface DangerFullAccessPolicy extends Static<typeof DangerFullAccessPolicy> {}

export const ReadOnlyPolicy = Type.Object(
  { mode: Type.Literal("read-only") },
  { $id: "ReadOnlyPolicy", description: "Everything can be read, nothing written, no network." },
);
export interface ReadOnlyPolicy extends Static<typeof ReadOnlyPolicy> {}

export const WorkspaceWritePolicy = Type.Object(
  {
    mode: Type.Literal("workspace-write"),
    writable_roots: Type.Optional(
      Type.Array(Type.String(), {
        description: "Directories that can be written besides `cwd`, `/tmp` and `$TMPDIR`.",
      }),
    ),
    network_access: Type.Optional(
      Type.Boolean({ description: "Whether commands may use the network; false when absent." }),
    ),
    exclude_tmpdir_env_var: Type.Optional(
      Type.Boolean({ description: "Takes `$TMPDIR` out of the writable directories." }),
    ),
    exclude_slash_tmp: Type.Optional(
      Type.Boolean({ description: "Takes `/tmp` out of the writable directories." }),
    ),
  },
  { $id: "WorkspaceWritePolicy", description: "Everything can be read, the workspace written." },
);
export interface WorkspaceWritePolicy extends Static<typeof WorkspaceWritePolicy> {}

export const ExternalSandboxPolicy = Type.Object(
  {
    mode: Type.Literal("external-sandbox"),
    network_access: Type.Optional(
      Type.Enum(["restricted", "enabled"], {
        description: "What the surrounding sandbox allows on the network; `restricted` if absent.",
      }),
    ),
  },
  {
    $id: "ExternalSandboxPolicy",
    description: "The whole program already runs in a sandbox, so none is put around commands.",
  },
);
export interface ExternalSandboxPolicy extends Static<typeof ExternalSandboxPolicy> {}

/** What commands may read, write and reach. */
export type SandboxPolicy =
  | DangerFullAccessPolicy
  | ReadOnlyPolicy
  | WorkspaceWritePolicy
  | ExternalSandboxPolicy;
export const SandboxPolicy = taggedUnion(
  "SandboxPolicy",
  "mode",
  [DangerFullAccessPolicy, ReadOnlyPolicy, WorkspaceWritePolicy, ExternalSandboxPolicy],
  "What commands may read, write and reach.",
);

export const WritableRoot = Type.Object(
  {
    root: Type.String({ description: "A directory that can be written, with all below it." }),
    read_only_subpaths: Type.Array(Type.String(), {
      description: "What stays read-only inside it, such as `.git`.",
    }),
  },
  { $id: "WritableRoot", description: "A directory commands may write to, and its exceptions." },
);
export interface WritableRoot extends Static<typeof WritableRoot> {}
