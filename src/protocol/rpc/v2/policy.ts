import Type, { type Static } from "typebox";
import { Nullish, since, taggedUnion, until } from "../../schema.js";

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

export const GranularApproval = Type.Object(
  {
    granular: Type.Object(
      {
        sandbox_approval: Type.Boolean({
          description: "Commands that request to leave the sandbox.",
        }),
        rules: Type.Boolean({ description: "Commands that a rule prompts for." }),
        skill_approval: flag("Scripts of skills."),
        request_permissions: flag("Permissions requested by the model."),
        mcp_elicitations: Type.Boolean({ description: "Elicitations of MCP servers." }),
      },
      { description: "Kinds of requests that may prompt the user; others are declined." },
    ),
  },
  { $id: "GranularApproval", description: "Approval policy by kind of request." },
);
export interface GranularApproval extends Static<typeof GranularApproval> {}

export const AskForApproval = Type.Union(
  [Type.Enum(["untrusted", "on-failure", "on-request", "never"]), GranularApproval],
  {
    $id: "AskForApproval",
    description: "Approval policy.",
  },
);
/** Approval policy. */
export type AskForApproval = "untrusted" | "on-failure" | "on-request" | "never" | GranularApproval;

export const DangerFullAccess = Type.Object(
  { type: Type.Literal("dangerFullAccess") },
  { $id: "DangerFullAccess", description: "No restrictions on files or network." },
);
export interface DangerFullAccess extends Static<typeof DangerFullAccess> {}

const access = Nullish(Type.Unknown(), {
  description: "Read access; always full, in versions that have this field.",
});

export const ReadOnly = Type.Object(
  {
    type: Type.Literal("readOnly"),
    access: until("0.104", access),
    networkAccess: since("0.166", flag("Allows network access. Default: false.")),
  },
  { $id: "ReadOnly", description: "Read access to all files; no writes." },
);
export interface ReadOnly extends Static<typeof ReadOnly> {}

export const ExternalSandbox = Type.Object(
  {
    type: Type.Literal("externalSandbox"),
    networkAccess: Type.Optional(
      Type.Enum(["restricted", "enabled"], {
        description: "Network access of the external sandbox. Default: `restricted`.",
      }),
    ),
  },
  { $id: "ExternalSandbox", description: "The program runs in an external sandbox." },
);
export interface ExternalSandbox extends Static<typeof ExternalSandbox> {}

export const WorkspaceWrite = Type.Object(
  {
    type: Type.Literal("workspaceWrite"),
    writableRoots: Type.Optional(
      Type.Array(Type.String(), {
        description: "Writable directories in addition to the workspace.",
      }),
    ),
    readOnlyAccess: until("0.104", access),
    networkAccess: flag("Allows network access. Default: false."),
    excludeTmpdirEnvVar: flag("Excludes `$TMPDIR` from the writable directories."),
    excludeSlashTmp: flag("Excludes `/tmp` from the writable directories."),
  },
  {
    $id: "WorkspaceWrite",
    description: "Read access to all files; write access to the workspace.",
  },
);
export interface WorkspaceWrite extends Static<typeof WorkspaceWrite> {}

/** Sandbox policy for commands. */
export type SandboxPolicy = DangerFullAccess | ReadOnly | ExternalSandbox | WorkspaceWrite;
export const SandboxPolicy = taggedUnion(
  "SandboxPolicy",
  "type",
  [DangerFullAccess, ReadOnly, ExternalSandbox, WorkspaceWrite],
  "Sandbox policy for commands.",
);
