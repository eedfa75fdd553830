import Type, { type Static } from "typebox";

export const ThreadRollbackOp = Type.Object(
  {
    type: Type.Literal("thread_rollback"),
    num_turns: Type.Integer({
      minimum: 1,
      description: "How many of the user's last turns are taken back.",
    }),
  },
  {
    $id: "ThreadRollbackOp",
    description:
      "Takes the last turns out of the conversation, while none runs; answered by " +
      "`thread_rolled_back`. What they changed in files stays.",
  },
);
export interface ThreadRollbackOp extends Static<typeof ThreadRollbackOp> {}
