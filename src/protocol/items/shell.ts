import Type, { type Static } from "typebox";
import { described, Nullish } from "../schema.js";

export const ShellToolCallParams = Type.Object(
  {
    command: Type.Array(Type.String(), { description: "The program and its arguments." }),
    workdir: Nullish(Type.String(), { description: "Where it runs; the turn's `cwd` if absent." }),
    timeout_ms: Nullish(Type.Integer(), { description: "How long it may run." }),
    with_escalated_permissions: Nullish(Type.Boolean(), {
      description: "Asks to run it outside the sandbox.",
    }),
    justification: Nullish(Type.String(), { description: "Why that is needed." }),
  },
  { $id: "ShellToolCallParams", description: "The arguments of the `shell` tool." },
);
export interface ShellToolCallParams extends Static<typeof ShellToolCallParams> {}

export const LocalShellStatus = Type.Enum(["completed", "in_progress", "incomplete"], {
  $id: "LocalShellStatus",
  description: "How far the model has come with writing the call.",
});
/** How far the model has come with writing a shell call. */
export type LocalShellStatus = Static<typeof LocalShellStatus>;

export const LocalShellAction = Type.Object(
  {
    type: Type.Literal("exec"),
    command: Type.Array(Type.String(), { description: "The program and its arguments." }),
    timeout_ms: Nullish(Type.Integer(), { description: "How long it may run." }),
    working_directory: Nullish(Type.String(), { description: "Where it runs." }),
    env: Nullish(Type.Record(Type.String(), Type.String()), {
      description: "Variables set for it.",
    }),
    user: Nullish(Type.String(), { description: "Who it is to run as." }),
    with_escalated_permissions: Nullish(Type.Boolean(), {
      description: "Whether the model asks to run it outside the sandbox.",
    }),
    justification: Nullish(Type.String(), { description: "Why the model asks for that." }),
  },
  { $id: "LocalShellAction", description: "A command the model wants to run." },
);
export interface LocalShellAction extends Static<typeof LocalShellAction> {}

export const LocalShellCallItem = Type.Object(
  {
    type: Type.Literal("local_shell_call"),
    id: Type.Optional(Type.String({ description: "The id the model gave it." })),
    call_id: Nullish(Type.String(), { description: "The id its output names." }),
    status: described(LocalShellStatus, "How far the model has come with it."),
    action: described(LocalShellAction, "What to run."),
  },
  { $id: "LocalShellCallItem", description: "The model calls its built-in shell tool." },
);
export interface LocalShellCallItem extends Static<typeof LocalShellCallItem> {}
