import Type, { type Static } from "typebox";

export const RunUserShellCommandOp = Type.Object(
  {
    type: Type.Literal("run_user_shell_command"),
    command: Type.String({ description: "The script, for the user's shell." }),
    timeout_ms: Type.Optional(
      Type.Integer({ minimum: 0, description: "How long it may run; an hour if absent." }),
    ),
  },
  {
    $id: "RunUserShellCommandOp",
    description:
      "Runs a command that the user typed, without sandbox and without asking. Its output is " +
      "shown to the model with the next request.",
  },
);
export interface RunUserShellCommandOp extends Static<typeof RunUserShellCommandOp> {}
