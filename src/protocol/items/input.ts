import Type, { type Static } from "typebox";
import { described, Nullish, taggedUnion } from "../schema.js";

export const ByteRange = Type.Object(
  {
    start: Type.Integer({ description: "The first byte, counted from 0 in UTF-8." }),
    end: Type.Integer({ description: "The byte after the last one." }),
  },
  { $id: "ByteRange", description: "A part of a text." },
);
export interface ByteRange extends Static<typeof ByteRange> {}

export const TextElement = Type.Object(
  {
    byte_range: described(ByteRange, "The part of the text it stands for."),
    placeholder: Nullish(Type.String(), { description: "What the user saw in its place." }),
  },
  { $id: "TextElement", description: "A part of a text that a UI shows in a special way." },
);
export interface TextElement extends Static<typeof TextElement> {}

export const TextInput = Type.Object(
  {
    type: Type.Literal("text"),
    text: Type.String({ description: "What the user wrote." }),
    text_elements: Type.Optional(
      Type.Array(TextElement, { description: "Parts that a UI shows in a special way." }),
    ),
  },
  { $id: "TextInput", description: "Text of the user." },
);
export interface TextInput extends Static<typeof TextInput> {}

export const ImageInput = Type.Object(
  {
    type: Type.Literal("image"),
    image_url: Type.String({ description: "A `data:` or web URL." }),
  },
  { $id: "ImageInput", description: "A picture." },
);
export interface ImageInput extends Static<typeof ImageInput> {}

export const LocalImageInput = Type.Object(
  {
    type: Type.Literal("local_image"),
    path: Type.String({ description: "The file, where the engine runs." }),
    detail: Type.Optional(
      Type.String({ description: "How closely the model looks at it: `high` or `original`." }),
    ),
  },
  { $id: "LocalImageInput", description: "A picture in a file; the engine reads it." },
);
export interface LocalImageInput extends Static<typeof LocalImageInput> {}

export const SkillInput = Type.Object(
  {
    type: Type.Literal("skill"),
    name: Type.String({ description: "The skill." }),
    path: Type.String({ description: "Its `SKILL.md`." }),
  },
  { $id: "SkillInput", description: "A skill the user chose." },
);
export interface SkillInput extends Static<typeof SkillInput> {}

export const MentionInput = Type.Object(
  {
    type: Type.Literal("mention"),
    name: Type.String({ description: "The app, connector or file." }),
    path: Type.String({ description: "Its address, `app://{connector_id}`, or its path." }),
  },
  { $id: "MentionInput", description: "An app, connector or file the user chose." },
);
export interface MentionInput extends Static<typeof MentionInput> {}

/** Something that the user selected by name, not by a part of the text. */
export type Mention = SkillInput | MentionInput;
export const Mention = taggedUnion(
  "Mention",
  "type",
  [SkillInput, MentionInput],
  "Something that the user selected by name.",
);

/** A part of what the user sends. */
export type InputItem = TextInput | ImageInput | LocalImageInput | SkillInput | MentionInput;
export const InputItem = taggedUnion(
  "InputItem",
  "type",
  [TextInput, ImageInput, LocalImageInput, SkillInput, MentionInput],
  "A part of what the user sends.",
);
