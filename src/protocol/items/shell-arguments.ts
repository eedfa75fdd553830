import Type, { type Static } from "typebox";
import { Nullish } from "../schema.js";

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
