import Type, { type Static } from "typebox";
import { Nullish } from "./schema.js";

export const CustomPrompt = Type.Object(
  {
    name: Type.String({ description: "Its name: the file name without `.md`." }),
    path: Type.String({ description: "The file it is in." }),
    content: Type.String({ description: "The text of the prompt." }),
    description: Nullish(Type.String(), { description: "What it is for." }),
    argument_hint: Nullish(Type.String(), { description: "Which arguments it takes." }),
  },
  { $id: "CustomPrompt", description: "A prompt the user has saved." },
);
export interface CustomPrompt extends Static<typeof CustomPrompt> {}
