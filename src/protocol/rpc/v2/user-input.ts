import Type, { type Static } from "typebox";
import { described, Nullish, taggedUnion } from "../../schema.js";

export const ByteRange = Type.Object(
  {
    start: Type.Integer({ description: "First byte." }),
    end: Type.Integer({ description: "End of the range, exclusive." }),
  },
  { $id: "ByteRange", description: "A byte range in UTF-8 text." },
);
export interface ByteRange extends Static<typeof ByteRange> {}

export const TextElement = Type.Object(
  {
    byteRange: described(ByteRange, "Range in the text."),
    placeholder: Nullish(Type.String(), { description: "Placeholder text." }),
  },
  { $id: "TextElement", description: "A part of a text that the client renders specially." },
);
export interface TextElement extends Static<typeof TextElement> {}

export const ImageDetail = Type.Enum(["auto", "low", "high", "original"], {
  $id: "ImageDetail",
  description: "Image detail.",
});
/** Image detail. */
export type ImageDetail = Static<typeof ImageDetail>;

const detail = Nullish(ImageDetail, { description: "Image detail." });

export const TextInput = Type.Object(
  {
    type: Type.Literal("text"),
    text: Type.String({ description: "The text." }),
    text_elements: Type.Optional(
      Type.Array(TextElement, { description: "Parts that the client renders specially." }),
    ),
  },
  { $id: "TextInput", description: "Text of the user." },
);
export interface TextInput extends Static<typeof TextInput> {}

export const ImageInput = Type.Object(
  {
    type: Type.Literal("image"),
    url: Type.String({ description: "Image URL, or a `data:` URL." }),
    detail,
  },
  { $id: "ImageInput", description: "An image by URL." },
);
export interface ImageInput extends Static<typeof ImageInput> {}

export const LocalImageInput = Type.Object(
  {
    type: Type.Literal("localImage"),
    path: Type.String({ description: "Path of the image." }),
    detail,
  },
  { $id: "LocalImageInput", description: "An image file on the server." },
);
export interface LocalImageInput extends Static<typeof LocalImageInput> {}

const named = {
  name: Type.String({ description: "Display name." }),
  path: Type.String({ description: "Location." }),
};

export const SkillInput = Type.Object(
  { type: Type.Literal("skill"), ...named },
  { $id: "SkillInput", description: "A skill selected by the user." },
);
export interface SkillInput extends Static<typeof SkillInput> {}

export const MentionInput = Type.Object(
  { type: Type.Literal("mention"), ...named },
  { $id: "MentionInput", description: "An app, connector or file selected by the user." },
);
export interface MentionInput extends Static<typeof MentionInput> {}

/** A part of the user's input. */
export type UserInput = TextInput | ImageInput | LocalImageInput | SkillInput | MentionInput;
export const UserInput = taggedUnion(
  "UserInput",
  "type",
  [TextInput, ImageInput, LocalImageInput, SkillInput, MentionInput],
  "A part of the user's input.",
);
