import Type, { type Static } from "typebox";
import { Nullish, taggedUnion } from "./schema.js";

export const AddFileChange = Type.Object(
  {
    type: Type.Literal("add"),
    content: Type.String({ description: "The text of the new file." }),
  },
  { $id: "AddFileChange", description: "A file that is created." },
);
export interface AddFileChange extends Static<typeof AddFileChange> {}

export const DeleteFileChange = Type.Object(
  {
    type: Type.Literal("delete"),
    content: Type.String({ description: "The text the file had." }),
  },
  { $id: "DeleteFileChange", description: "A file that is removed." },
);
export interface DeleteFileChange extends Static<typeof DeleteFileChange> {}

export const UpdateFileChange = Type.Object(
  {
    type: Type.Literal("update"),
    unified_diff: Type.String({ description: "The change as a unified diff without file header." }),
    move_path: Nullish(Type.String(), { description: "Where the file goes, if it is moved." }),
  },
  { $id: "UpdateFileChange", description: "A file that is changed, and perhaps moved." },
);
export interface UpdateFileChange extends Static<typeof UpdateFileChange> {}

/** What a patch does to one file. */
export type FileChange = AddFileChange | DeleteFileChange | UpdateFileChange;
export const FileChange = taggedUnion(
  "FileChange",
  "type",
  [AddFileChange, DeleteFileChange, UpdateFileChange],
  "What a patch does to one file.",
);
