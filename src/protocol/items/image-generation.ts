import Type, { type Static } from "typebox";
import { allSince, Nullish } from "../schema.js";

/** Fields of a generated picture in the events and items for clients. */
export const generatedImage = allSince("0.166", {
  status: Type.String({ description: "Status: `in_progress`, `completed` or one of the model." }),
  revised_prompt: Nullish(Type.String(), { description: "Prompt that the model used." }),
  result: Type.String({
    description: "The picture in base64; empty in logs and until it is done.",
  }),
  saved_path: Type.Optional(Type.String({ description: "File that the picture was saved to." })),
});

export const ImageGenerationCallItem = Type.Object(
  allSince("0.166", {
    type: Type.Literal("image_generation_call"),
    id: Type.Optional(Type.String({ description: "Id assigned by the model." })),
    status: Type.String({ description: "Status of the call, such as `completed`." }),
    revised_prompt: Nullish(Type.String(), { description: "Prompt that the model used." }),
    result: Type.String({ description: "The picture in base64; empty if there is none." }),
  }),
  {
    $id: "ImageGenerationCallItem",
    description: "A picture by a tool that the model's server runs.",
  },
);
export interface ImageGenerationCallItem extends Static<typeof ImageGenerationCallItem> {}
