import Type, { type Static } from "typebox";
import { described, Nullish, taggedUnion } from "../../schema.js";
import { callId, turnId } from "./fields.js";

export const AddFileChange = Type.Object(
  {
    type: Type.Literal("add"),
    content: Type.String({ description: "Content of the new file." }),
  },
  { $id: "AddFileChange", description: "A created file." },
);
export interface AddFileChange extends Static<typeof AddFileChange> {}

export const DeleteFileChange = Type.Object(
  {
    type: Type.Literal("delete"),
    content: Type.String({ description: "Previous content." }),
  },
  { $id: "DeleteFileChange", description: "A deleted file." },
);
export interface DeleteFileChange extends Static<typeof DeleteFileChange> {}

export const UpdateFileChange = Type.Object(
  {
    type: Type.Literal("update"),
    unified_diff: Type.String({ description: "Unified diff without file header." }),
    move_path: Nullish(Type.String(), { description: "New path, if the file is moved." }),
  },
  { $id: "UpdateFileChange", description: "A modified, possibly moved file." },
);
export interface UpdateFileChange extends Static<typeof UpdateFileChange> {}

/** Change of a file by a patch. */
export type FileChange = AddFileChange | DeleteFileChange | UpdateFileChange;
export const FileChange = taggedUnion(
  "FileChange",
  "type",
  [AddFileChange, DeleteFileChange, UpdateFileChange],
  "Change of a file by a patch.",
);

const changes = Type.Record(Type.String(), FileChange, {
  description: "File changes by path.",
});

export const PatchApplyStatus = Type.Enum(["completed", "failed", "declined"], {
  $id: "PatchApplyStatus",
  description: "Outcome of a patch.",
});
/** Outcome of a patch. */
export type PatchApplyStatus = Static<typeof PatchApplyStatus>;

export const PatchApplyBeginEvent = Type.Object(
  {
    type: Type.Literal("patch_apply_begin"),
    call_id: callId,
    auto_approved: Type.Boolean({ description: "False if the user was asked for approval." }),
    changes,
    turn_id: turnId,
  },
  { $id: "PatchApplyBeginEvent", description: "A patch is being applied." },
);
export interface PatchApplyBeginEvent extends Static<typeof PatchApplyBeginEvent> {}

export const PatchApplyEndEvent = Type.Object(
  {
    type: Type.Literal("patch_apply_end"),
    call_id: callId,
    stdout: Type.String({ description: "Web action." }),
    stderr: Type.String({ description: "Error output." }),
    success: Type.Boolean({ description: "True if the whole patch was applied." }),
    turn_id: turnId,
    changes: Type.Optional(changes),
    status: described(Type.Optional(PatchApplyStatus), "Outcome."),
  },
  { $id: "PatchApplyEndEvent", description: "A patch was applied, or failed." },
);
export interface PatchApplyEndEvent extends Static<typeof PatchApplyEndEvent> {}

export const PatchApplyUpdatedEvent = Type.Object(
  {
    type: Type.Literal("patch_apply_updated"),
    call_id: callId,
    changes: described(changes, "File changes so far, by the paths in the patch."),
  },
  {
    $id: "PatchApplyUpdatedEvent",
    description:
      "Preview of a patch while the model writes it; nothing is verified or applied yet.",
  },
);
export interface PatchApplyUpdatedEvent extends Static<typeof PatchApplyUpdatedEvent> {}

export const ApplyPatchApprovalRequestEvent = Type.Object(
  {
    type: Type.Literal("apply_patch_approval_request"),
    call_id: callId,
    changes,
    reason: Nullish(Type.String(), { description: "Reason for the request." }),
    grant_root: Nullish(Type.String(), {
      description: "Directory that becomes writable if approved for the session.",
    }),
    turn_id: turnId,
  },
  {
    $id: "ApplyPatchApprovalRequestEvent",
    description: "Requests approval of a patch. Answered by `patch_approval`.",
  },
);
export interface ApplyPatchApprovalRequestEvent
  extends Static<typeof ApplyPatchApprovalRequestEvent> {}
