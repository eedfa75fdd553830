import Type, { type Static } from "typebox";
import { described, Nullish } from "../schema.js";

export const ShellToolCallParams = Type.Object(
  {
    command: Type.Array(Type.String(), { description: "Program and arguments." }),
    workdir: Nullish(Type.String(), {
      description: "Working directory. Default: the turn's `cwd`.",
    }),
    timeout_ms: Nullish(Type.Integer(), { description: "Time limit in milliseconds." }),
    with_escalated_permissions: Nullish(Type.Boolean(), {
      description: "Requests to run outside the sandbox.",
    }),
    justification: Nullish(Type.String(), { description: "Reason for the request." }),
  },
  { $id: "ShellToolCallParams", description: "Arguments of the `shell` tool." },
);
export interface ShellToolCallParams extends Static<typeof ShellToolCallParams> {}

export const LocalShellStatus = Type.Enum(["completed", "in_progress", "incomplete"], {
  $id: "LocalShellStatus",
  description: "Status of the call.",
});
/** Status of a local shell call. */
export type LocalShellStatus = Static<typeof LocalShellStatus>;

export const LocalShellAction = Type.Object(
  {
    type: Type.Literal("exec"),
    command: Type.Array(Type.String(), { description: "Program and arguments." }),
    timeout_ms: Nullish(Type.Integer(), { description: "Time limit in milliseconds." }),
    working_directory: Nullish(Type.String(), { description: "Working directory." }),
    env: Nullish(Type.Record(Type.String(), Type.String()), {
      description: "Environment variables.",
    }),
    user: Nullish(Type.String(), { description: "User to run as." }),
    with_escalated_permissions: Nullish(Type.Boolean(), {
      description: "Requests to run outside the sandbox.",
    }),
    justification: Nullish(Type.String(), { description: "Reason for the request." }),
  },
  { $id: "LocalShellAction", description: "A command requested by the model." },
);
export interface LocalShellAction extends Static<typeof LocalShellAction> {}

export const LocalShellCallItem = Type.Object(
  {
    type: Type.Literal("local_shell_call"),
    id: Type.Optional(Type.String({ description: "Id assigned by the model." })),
    call_id: Nullish(Type.String(), { description: "Id that links the call to its output." }),
    status: described(LocalShellStatus, "Status of the call."),
    action: described(LocalShellAction, "Command to run."),
  },
  { $id: "LocalShellCallItem", description: "A call of the model's built-in shell tool." },
);
export interface LocalShellCallItem extends Static<typeof LocalShellCallItem> {}
