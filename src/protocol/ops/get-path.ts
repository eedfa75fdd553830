import Type, { type Static } from "typebox";

export const GetPathOp = Type.Object(
  { type: Type.Literal("get_path") },
  {
    $id: "GetPathOp",
    description: "Asks where the rollout file is; answered by `conversation_path`.",
  },
);
export interface GetPathOp extends Static<typeof GetPathOp> {}
