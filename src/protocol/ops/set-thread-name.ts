import Type, { type Static } from "typebox";

export const SetThreadNameOp = Type.Object(
  {
    type: Type.Literal("set_thread_name"),
    name: Type.String({ description: "The name; blanks around it do not count." }),
  },
  {
    $id: "SetThreadNameOp",
    description: "Gives the thread a name; answered by `thread_name_updated`.",
  },
);
export interface SetThreadNameOp extends Static<typeof SetThreadNameOp> {}
