import Type, { type Static } from "typebox";
import { Nullish, taggedUnion } from "../../schema.js";

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

export const GranularApproval = Type.Object(
  {
    granular: Type.Object(
      {
        sandbox_approval: Type.Boolean({ description: "Commands that want to leave the sandbox." }),
        rules: Type.Boolean({ description: "Commands that a rule asks about." }),
        skill_approval: flag("Scripts of skills."),
        request_permissions: flag("Permissions the model asks for."),
        mcp_elicitations: Type.Boolean({ description: "Questions of MCP servers." }),
      },
      { description: "What the user may be asked; the rest is declined." },
    ),
  },
  { $id: "GranularApproval", description: "Says for each kind of question whether it is asked." },
);
export interface GranularApproval extends Static<typeof GranularApproval> {}

export const AskForApproval = Type.Union(
  [Type.Enum(["untrusted", "on-failure", "on-request", "never"]), GranularApproval],
  {
    $id: "AskForApproval",
    description: "When the user is asked before something is done.",
  },
);
/** When the user is asked before something is done. */
export type AskForApproval = "untrusted" | "on-failure" | "on-request" | "never" | GranularApproval;

export const DangerFullAccess = Type.Object(
  { type: Type.Literal("dangerFullAccess") },
  { $id: "DangerFullAccess", description: "No limits on disk or network." },
);
export interface DangerFullAccess extends Static<typeof DangerFullAccess> {}

const access = Nullish(Type.Unknown(), {
  description: "What can be read; all of it, in the versions that have this field.",
});

export const ReadOnly = Type.Object(
  {
    type: Type.Literal("readOnly"),
    access,
    networkAccess: flag("Whether commands may use the network; false when absent."),
  },
  { $id: "ReadOnly", description: "Everything can be read, nothing written." },
);
export interface ReadOnly extends Static<typeof ReadOnly> {}

export const ExternalSandbox = Type.Object(
  {
    type: Type.Literal("externalSandbox"),
    networkAccess: Type.Optional(
      Type.Enum(["restricted", "enabled"], {
        description: "What the surrounding sandbox allows on the network; `restricted` if absent.",
      }),
    ),
  },
  { $id: "ExternalSandbox", description: "The whole program already runs in a sandbox." },
);
export interface ExternalSandbox extends Static<typeof ExternalSandbox> {}

export const WorkspaceWrite = Type.Object(
  {
    type: Type.Literal("workspaceWrite"),
    writableRoots: Type.Optional(
      Type.Array(Type.String(), {
        description: "Directories that can be written besides the workspace.",
      }),
    ),
    readOnlyAccess: access,
    networkAccess: flag("Whether commands may use the network; false when absent."),
    excludeTmpdirEnvVar: flag("Takes `$TMPDIR` out of the writable directories."),
    excludeSlashTmp: flag("Takes `/tmp` out of the writable directories."),
  },
  { $id: "WorkspaceWrite", description: "Everything can be read, the workspace written." },
);
export interface WorkspaceWrite extends Static<typeof WorkspaceWrite> {}

/** What commands may read, write and reach. */
export type SandboxPolicy = DangerFullAccess | ReadOnly | ExternalSandbox | WorkspaceWrite;
export const SandboxPolicy = taggedUnion(
  "SandboxPolicy",
  "type",
  [DangerFullAccess, ReadOnly, ExternalSandbox, WorkspaceWrite],
  "What commands may read, write and reach.",
);
