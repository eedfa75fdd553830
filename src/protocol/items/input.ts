import Type, { type Static } from "typebox";
import { described, Nullish, taggedUnion } from "../schema.js";
import { FunctionCallOutput } from "./content.js";

export const ByteRange = Type.Object(
  {
    start: Type.Integer({ description: "First byte in UTF-8, starting at 0." }),
    end: Type.Integer({ description: "End of the range, exclusive." }),
  },
  { $id: "ByteRange", description: "A byte range in a text." },
);
export interface ByteRange extends Static<typeof ByteRange> {}

export const TextElement = Type.Object(
  {
    byte_range: described(ByteRange, "Range in the text."),
    placeholder: Nullish(Type.String(), { description: "Placeholder text that the UI shows." }),
  },
  { $id: "TextElement", description: "A part of a text that the UI renders specially." },
);
export interface TextElement extends Static<typeof TextElement> {}

export const TextInput = Type.Object(
  {
    type: Type.Literal("text"),
    text: Type.String({ description: "Text of the user." }),
    text_elements: Type.Optional(
      Type.Array(TextElement, { description: "Parts that the UI renders specially." }),
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
  { $id: "ImageInput", description: "An image by URL." },
);
export interface ImageInput extends Static<typeof ImageInput> {}

export const LocalImageInput = Type.Object(
  {
    type: Type.Literal("local_image"),
    path: Type.String({ description: "Path of the file on the engine's machine." }),
    detail: Type.Optional(Type.String({ description: "Image detail: `high` or `original`." })),
  },
  { $id: "LocalImageInput", description: "An image file, read by the engine." },
);
export interface LocalImageInput extends Static<typeof LocalImageInput> {}

export const SkillInput = Type.Object(
  {
    type: Type.Literal("skill"),
    name: Type.String({ description: "Name of the skill." }),
    path: Type.String({ description: "Path of its `SKILL.md`." }),
  },
  { $id: "SkillInput", description: "A skill selected by the user." },
);
export interface SkillInput extends Static<typeof SkillInput> {}

export const MentionInput = Type.Object(
  {
    type: Type.Literal("mention"),
    name: Type.String({ description: "Name of the app, connector or file." }),
    path: Type.String({ description: "`app://{connector_id}`, or a path." }),
  },
  { $id: "MentionInput", description: "An app, connector or file selected by the user." },
);
export interface MentionInput extends Static<typeof MentionInput> {}

export const ToolOutputInput = Type.Object(
  {
    type: Type.Literal("tool_output"),
    name: Type.String({ description: "Name of the tool." }),
    namespace: Nullish(Type.String(), { description: "Namespace of the tool." }),
    output: described(FunctionCallOutput, "Its output."),
    retain: Nullish(Type.Boolean(), { description: "True to keep it when history is compacted." }),
  },
  {
    $id: "ToolOutputInput",
    description:
      "Output of a tool of the client that the model did not call. The only item of its input.",
  },
);
export interface ToolOutputInput extends Static<typeof ToolOutputInput> {}

/** A skill, app, connector or file that the user selected by name. */
export type Mention = SkillInput | MentionInput;
export const Mention = taggedUnion(
  "Mention",
  "type",
  [SkillInput, MentionInput],
  "A skill, app, connector or file that the user selected by name.",
);

/** A part of the user's input. */
export type InputItem =
  | TextInput
  | ImageInput
  | LocalImageInput
  | SkillInput
  | MentionInput
  | ToolOutputInput;
export const InputItem = taggedUnion(
  "InputItem",
  "type",
  [TextInput, ImageInput, LocalImageInput, SkillInput, MentionInput, ToolOutputInput],
  "A part of the user's input.",
);
