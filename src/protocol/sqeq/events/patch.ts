import Type, { type Static } from "typebox";
import { described, Nullish, taggedUnion } from "../../schema.js";
import { callId, turnId } from "./fields.js";

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

const changes = Type.Record(Type.String(), FileChange, {
  description: "What changes, by the path of the file.",
});

export const PatchApplyStatus = Type.Enum(["completed", "failed", "declined"], {
  $id: "PatchApplyStatus",
  description: "How a patch ended.",
});
/** How a patch ended. */
export type PatchApplyStatus = Static<typeof PatchApplyStatus>;

export const PatchApplyBeginEvent = Type.Object(
  {
    type: Type.Literal("patch_apply_begin"),
    call_id: callId,
    auto_approved: Type.Boolean({ description: "False when the user was asked." }),
    changes,
    turn_id: turnId,
  },
  { $id: "PatchApplyBeginEvent", description: "A patch is applied." },
);
export interface PatchApplyBeginEvent extends Static<typeof PatchApplyBeginEvent> {}

export const PatchApplyEndEvent = Type.Object(
  {
    type: Type.Literal("patch_apply_end"),
    call_id: callId,
    stdout: Type.String({ description: "What was done." }),
    stderr: Type.String({ description: "What went wrong." }),
    success: Type.Boolean({ description: "Whether all of it was applied." }),
    turn_id: turnId,
    changes: Type.Optional(changes),
    status: described(Type.Optional(PatchApplyStatus), "How it ended."),
  },
  { $id: "PatchApplyEndEvent", description: "A patch has been applied, or not." },
);
export interface PatchApplyEndEvent extends Static<typeof PatchApplyEndEvent> {}

export const PatchApplyUpdatedEvent = Type.Object(
  {
    type: Type.Literal("patch_apply_updated"),
    call_id: callId,
    changes: described(changes, "What has come so far, by the paths that the patch names."),
  },
  {
    $id: "PatchApplyUpdatedEvent",
    description:
      "How a patch looks that the model still writes; nothing is checked or applied yet.",
  },
);
export interface PatchApplyUpdatedEvent extends Static<typeof PatchApplyUpdatedEvent> {}

export const ApplyPatchApprovalRequestEvent = Type.Object(
  {
    type: Type.Literal("apply_patch_approval_request"),
    call_id: callId,
    changes,
    reason: Nullish(Type.String(), { description: "Why the user is asked." }),
    grant_root: Nullish(Type.String(), {
      description: "A directory that yes for the session would make writable.",
    }),
    turn_id: turnId,
  },
  {
    $id: "ApplyPatchApprovalRequestEvent",
    description: "Asks the user whether a patch may be applied; answered by `patch_approval`.",
  },
);
export interface ApplyPatchApprovalRequestEvent
  extends Static<typeof ApplyPatchApprovalRequestEvent> {}
