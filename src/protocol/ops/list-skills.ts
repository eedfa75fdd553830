import Type, { type Static } from "typebox";

export const ListSkillsOp = Type.Object(
  {
    type: Type.Literal("list_skills"),
    cwds: Type.Optional(
      Type.Array(Type.String(), { description: "The directories; the session's if none." }),
    ),
    force_reload: Type.Optional(
      Type.Boolean({ description: "Reads the files again, even if they are known." }),
    ),
  },
  {
    $id: "ListSkillsOp",
    description: "Asks for the skills of some directories; answered by `list_skills_response`.",
  },
);
export interface ListSkillsOp extends Static<typeof ListSkillsOp> {}
