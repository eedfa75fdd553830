import Type, { type Static } from "typebox";

export const UserInputOption = Type.Object(
  {
    label: Type.String({ description: "The choice in a word or two." }),
    description: Type.String({ description: "What choosing it means." }),
  },
  { $id: "UserInputOption", description: "A choice offered to the user." },
);
export interface UserInputOption extends Static<typeof UserInputOption> {}

export const UserInputQuestion = Type.Object(
  {
    id: Type.String({ description: "The key of its answer." }),
    header: Type.String({ description: "A short title." }),
    question: Type.String({ description: "The question." }),
    isOther: Type.Optional(
      Type.Boolean({ description: "Whether a free answer may be given besides the options." }),
    ),
    isSecret: Type.Optional(
      Type.Boolean({ description: "Whether the answer is not to be shown." }),
    ),
    options: Type.Optional(
      Type.Array(UserInputOption, { description: "The choices, if it is not a free question." }),
    ),
  },
  { $id: "UserInputQuestion", description: "A question of the model to the user." },
);
export interface UserInputQuestion extends Static<typeof UserInputQuestion> {}

export const UserInputAnswer = Type.Object(
  { answers: Type.Array(Type.String(), { description: "What was chosen or typed." }) },
  { $id: "UserInputAnswer", description: "The answer to one question." },
);
export interface UserInputAnswer extends Static<typeof UserInputAnswer> {}

export const UserInputResponse = Type.Object(
  {
    answers: Type.Record(Type.String(), UserInputAnswer, {
      description: "The answers by the `id` of their question.",
    }),
  },
  { $id: "UserInputResponse", description: "The answers to all questions of a request." },
);
export interface UserInputResponse extends Static<typeof UserInputResponse> {}
