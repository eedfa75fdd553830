import Type, { type Static } from "typebox";

const textData = Type.Object({ text: Type.String({ description: "Text of the user." }) });

const imageData = Type.Object({
  image_url: Type.String({ description: "A `data:` or web URL." }),
});

const fileData = Type.Object({
  path: Type.String({ description: "Path of the file on the engine's machine." }),
});

export const WrappedInputItem = Type.Union(
  [
    Type.Object({ type: Type.Literal("text"), data: textData }),
    Type.Object({ type: Type.Literal("image"), data: imageData }),
    Type.Object({ type: Type.Literal("localImage"), data: fileData }),
  ],
  {
    $id: "WrappedInputItem",
    description: "A part of the user's input, with its fields under `data`.",
  },
);

export type WrappedInputItem = Static<typeof WrappedInputItem>;
