import Type, { type Static } from "typebox";
import { described, Nullable } from "../../schema.js";
import { RewindConflict, RewindPart } from "../../sqeq/events/rewind.js";
import { defineMethod, defineNotification } from "../declare.js";
import { ThreadParams } from "./thread.js";

const threadId = Type.String({ description: "Thread id (UUID)." });
const what = described(Type.Optional(RewindPart), 'Part to rewind. Default: "chat".');
const dryRun = Type.Optional(
  Type.Boolean({ description: "Lists what would change, and changes nothing." }),
);
const skipConflicts = Type.Optional(
  Type.Boolean({
    description: "Leaves files with conflicts as they are, in place of refusing the rewind.",
  }),
);

export const ThreadRewindParams = Type.Object(
  {
    threadId,
    turnId: Type.String({ description: "First turn to take back, with all later ones." }),
    what,
    dryRun,
    skipConflicts,
  },
  { $id: "ThreadRewindParams", description: "Params of `thread/rewind`." },
);
export interface ThreadRewindParams extends Static<typeof ThreadRewindParams> {}

export const ThreadRewindUndoParams = Type.Object(
  { threadId, dryRun, skipConflicts },
  { $id: "ThreadRewindUndoParams", description: "Params of `thread/rewind/undo`." },
);
export interface ThreadRewindUndoParams extends Static<typeof ThreadRewindUndoParams> {}

export const ThreadTreeSwitchParams = Type.Object(
  {
    threadId,
    turnId: Type.String({
      description: "Turn of any branch; the conversation continues after it.",
    }),
    what,
    dryRun,
    skipConflicts,
  },
  { $id: "ThreadTreeSwitchParams", description: "Params of `thread/tree/switch`." },
);
export interface ThreadTreeSwitchParams extends Static<typeof ThreadTreeSwitchParams> {}

export const RewindFile = Type.Object(
  {
    path: Type.String({ description: "Absolute path." }),
    kind: Type.Enum(["add", "update", "delete"], { description: "Change made by the rewind." }),
    additions: Type.Integer({ description: "Lines that the file gains." }),
    deletions: Type.Integer({ description: "Lines that it loses." }),
    isBinary: Type.Boolean({ description: "True if lines are not counted." }),
  },
  { $id: "RewindFile", description: "A file of a rewind." },
);
export interface RewindFile extends Static<typeof RewindFile> {}

export const ThreadRewindResponse = Type.Object(
  {
    rewindId: Nullable(Type.String(), { description: "Id of the rewind; null for a dry run." }),
    turnId: Type.String({ description: "Turn that was rewound, or switched to." }),
    what: described(RewindPart, "Part that was rewound."),
    dryRun: Type.Boolean({ description: "True if nothing was changed." }),
    numTurns: Type.Integer({ description: "Number of turns removed from the conversation." }),
    files: Type.Array(RewindFile, { description: "Restored files, with lines gained and lost." }),
    conflicts: Type.Array(RewindConflict, {
      description: "Files that are not restored. Without `skipConflicts` they refuse the rewind.",
    }),
    limits: Type.Array(Type.String(), {
      description: "Reasons why changes of commands may be missing.",
    }),
  },
  { $id: "ThreadRewindResponse", description: "Result of `thread/rewind`." },
);
export interface ThreadRewindResponse extends Static<typeof ThreadRewindResponse> {}

export const TurnTreeNode = Type.Object(
  {
    turnId: Type.String({ description: "Turn id." }),
    parentTurnId: Nullable(Type.String(), { description: "Turn that it followed; null: none." }),
    isActive: Type.Boolean({ description: "True if the conversation contains it now." }),
    text: Type.String({ description: "Start of the user's message." }),
    status: Type.Enum(["completed", "interrupted", "failed", "inProgress"], {
      description: "Status of the turn.",
    }),
    startedAtMs: Nullable(Type.Integer(), { description: "Start time in Unix milliseconds." }),
    responseIds: Type.Array(Type.String(), {
      description: "Bookmarks: responses that a turn can continue from.",
    }),
    changedFiles: Type.Integer({ description: "Number of files that it changed." }),
  },
  { $id: "TurnTreeNode", description: "A turn in the tree of turns." },
);
export interface TurnTreeNode extends Static<typeof TurnTreeNode> {}

export const ThreadTreeResponse = Type.Object(
  {
    data: Type.Array(TurnTreeNode, { description: "All turns, in the order they started." }),
    activeTurnId: Nullable(Type.String(), {
      description: "Last turn of the conversation; null if it has none.",
    }),
  },
  { $id: "ThreadTreeResponse", description: "Result of `thread/tree`." },
);
export interface ThreadTreeResponse extends Static<typeof ThreadTreeResponse> {}

export const ThreadRewoundNotification = Type.Object(
  {
    threadId,
    kind: Type.Enum(["rewind", "undo", "switch"], { description: "Kind of the rewind." }),
    what: described(RewindPart, "Part that was rewound."),
    turnId: Type.String({ description: "Turn that was rewound, or switched to." }),
  },
  {
    $id: "ThreadRewoundNotification",
    description: "Params of `thread/rewound`.",
  },
);
export interface ThreadRewoundNotification extends Static<typeof ThreadRewoundNotification> {}

export const rewindMethods = [
  defineMethod({
    name: "thread/rewind",
    summary: "Returns to the state before a turn: the conversation, the files, or both.",
    scope: "thread",
    params: ThreadRewindParams,
    result: ThreadRewindResponse,
  }),
  defineMethod({
    name: "thread/rewind/undo",
    summary: "Takes back the last rewind or switch.",
    scope: "thread",
    params: ThreadRewindUndoParams,
    result: ThreadRewindResponse,
  }),
  defineMethod({
    name: "thread/tree",
    summary: "Lists the turns of all branches of a thread.",
    scope: "thread",
    params: ThreadParams,
    result: ThreadTreeResponse,
  }),
  defineMethod({
    name: "thread/tree/switch",
    summary: "Continues a thread after a turn of any branch.",
    scope: "thread",
    params: ThreadTreeSwitchParams,
    result: ThreadRewindResponse,
  }),
  defineNotification({
    name: "thread/rewound",
    summary: "A thread was rewound or switched; its turns or files have changed.",
    scope: "thread",
    params: ThreadRewoundNotification,
  }),
];
