import Type, { type Static } from "typebox";
import { described, Nullish, onRequest, since } from "../../schema.js";

export const RewindPart = Type.Enum(["chat", "files", "both"], {
  $id: "RewindPart",
  description: "Part of a thread to rewind: the conversation, the files, or both.",
});
export type RewindPart = Static<typeof RewindPart>;

export const TurnCheckpointEvent = onRequest(
  "current",
  Type.Object(
    {
      type: Type.Literal("turn_checkpoint"),
      turn_id: Type.String({ description: "Turn id." }),
      manifest: Type.String({ description: "Hash of the list of changed files." }),
      files: Type.Integer({ description: "Number of changed files that can be restored." }),
      unsaved: Type.Integer({ description: "Number of changed files that cannot." }),
    },
    {
      $id: "TurnCheckpointEvent",
      description: "The files that a turn changed are stored, so that they can be restored.",
    },
  ),
);
export interface TurnCheckpointEvent extends Static<typeof TurnCheckpointEvent> {}

export const RewindRecord = Type.Object(
  {
    rewind_id: Type.String({ description: "Id of the rewind." }),
    kind: Type.Enum(["rewind", "undo", "switch"], {
      description: "A rewind to before a turn, its undo, or a switch to another branch.",
    }),
    turn_id: Type.String({
      description: "Turn that was rewound; with `switch` the last turn of the branch.",
    }),
    what: described(RewindPart, "Part that was rewound."),
    leaf_turn_id: Nullish(Type.String(), {
      description: "Last turn of the conversation before; absent if there was none.",
    }),
    manifest: Nullish(Type.String(), {
      description: "Hash of the list of restored files; absent if there are none.",
    }),
    undoes: Nullish(Type.String(), { description: "Rewind that was undone." }),
  },
  { $id: "RewindRecord", description: "A rewind, as recorded." },
);
export interface RewindRecord extends Static<typeof RewindRecord> {}

export const RewoundFile = Type.Object(
  {
    path: Type.String({ description: "Absolute path." }),
    kind: Type.Enum(["add", "update", "delete"], { description: "Change made by the rewind." }),
    additions: Type.Integer({ description: "Lines that the file gains." }),
    deletions: Type.Integer({ description: "Lines that it loses." }),
    is_binary: Type.Boolean({ description: "True if lines are not counted." }),
  },
  { $id: "RewoundFile", description: "A file of a rewind." },
);
export interface RewoundFile extends Static<typeof RewoundFile> {}

export const RewindConflict = Type.Object(
  {
    path: Type.String({ description: "Absolute path." }),
    reason: Type.String({ description: "Reason why the file is not restored." }),
  },
  { $id: "RewindConflict", description: "A file that a rewind does not restore." },
);
export interface RewindConflict extends Static<typeof RewindConflict> {}

export const ThreadRewoundEvent = since(
  "current",
  Type.Object(
    {
      type: Type.Literal("thread_rewound"),
      rewind: described(RewindRecord, "The rewind."),
      dry_run: Type.Boolean({ description: "True if nothing was changed." }),
      num_turns: Type.Integer({ description: "Number of turns removed from the conversation." }),
      files: Type.Array(RewoundFile, { description: "Restored files." }),
      conflicts: Type.Array(RewindConflict, { description: "Files that are left as they are." }),
      limits: Type.Array(Type.String(), {
        description: "Reasons why changes of commands may be missing.",
      }),
    },
    {
      $id: "ThreadRewoundEvent",
      description: "Response to `rewind`, `rewind_undo` and `switch_branch`.",
    },
  ),
);
export interface ThreadRewoundEvent extends Static<typeof ThreadRewoundEvent> {}

export const UndoStartedEvent = since(
  "0.104",
  Type.Object(
    {
      type: Type.Literal("undo_started"),
      message: Nullish(Type.String(), { description: "Message for the user." }),
    },
    { $id: "UndoStartedEvent", description: "The files of the last turn are being restored." },
  ),
);
export interface UndoStartedEvent extends Static<typeof UndoStartedEvent> {}

export const UndoCompletedEvent = since(
  "0.104",
  Type.Object(
    {
      type: Type.Literal("undo_completed"),
      success: Type.Boolean({ description: "True if the files were restored." }),
      message: Nullish(Type.String(), { description: "Message for the user." }),
    },
    { $id: "UndoCompletedEvent", description: "Response to `undo`." },
  ),
);
export interface UndoCompletedEvent extends Static<typeof UndoCompletedEvent> {}
