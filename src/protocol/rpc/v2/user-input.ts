import Type, { type Static } from "typebox";
import { described, Nullish, taggedUnion } from "../../schema.js";

export const ByteRange = Type.Object(
  {
    start: Type.Integer({ description: "The first byte." }),
    end: Type.Integer({ description: "The first byte behind it." }),
  },
  { $id: "ByteRange", description: "A piece of a text, in bytes of UTF-8." },
);
export interface ByteRange extends Static<typeof ByteRange> {}

export const TextElement = Type.Object(
  {
    byteRange: described(ByteRange, "Where it stands."),
    placeholder: Nullish(Type.String(), { description: "What is shown in its place." }),
  },
  { $id: "TextElement", description: "A piece of a text that the client shows in its own way." },
);
export interface TextElement extends Static<typeof TextElement> {}

export const ImageDetail = Type.Enum(["auto", "low", "high", "original"], {
  $id: "ImageDetail",
  description: "How closely the model looks at a picture.",
});
/** How closely the model looks at a picture. */
export type ImageDetail = Static<typeof ImageDetail>;

const detail = described(Type.Optional(ImageDetail), "How closely the model looks at it.");

export const TextInput = Type.Object(
  {
    type: Type.Literal("text"),
    text: Type.String({ description: "The text." }),
    text_elements: Type.Optional(
      Type.Array(TextElement, { description: "Pieces the client shows in its own way." }),
    ),
  },
  { $id: "TextInput", description: "Text of the user." },
);
export interface TextInput extends Static<typeof TextInput> {}

export const ImageInput = Type.Object(
  {
    type: Type.Literal("image"),
    url: Type.String({ description: "Where the picture is; a `data:` URL holds it." }),
    detail,
  },
  { $id: "ImageInput", description: "A picture by its address." },
);
export interface ImageInput extends Static<typeof ImageInput> {}

export const LocalImageInput = Type.Object(
  {
    type: Type.Literal("localImage"),
    path: Type.String({ description: "The file of the picture." }),
    detail,
  },
  { $id: "LocalImageInput", description: "A picture on this machine." },
);
export interface LocalImageInput extends Static<typeof LocalImageInput> {}

const named = {
  name: Type.String({ description: "What it is called." }),
  path: Type.String({ description: "Where it is." }),
};

export const SkillInput = Type.Object(
  { type: Type.Literal("skill"), ...named },
  { $id: "SkillInput", description: "A skill that the user wants to be used." },
);
export interface SkillInput extends Static<typeof SkillInput> {}

export const MentionInput = Type.Object(
  { type: Type.Literal("mention"), ...named },
  { $id: "MentionInput", description: "Something that the user points at." },
);
export interface MentionInput extends Static<typeof MentionInput> {}

/** A part of what the user says. */
export type UserInput = TextInput | ImageInput | LocalImageInput | SkillInput | MentionInput;
export const UserInput = taggedUnion(
  "UserInput",
  "type",
  [TextInput, ImageInput, LocalImageInput, SkillInput, MentionInput],
  "A part of what the user says.",
);
