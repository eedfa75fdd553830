import Type, { type Static } from "typebox";
import { described } from "../../schema.js";
import { RewindPart } from "../events/rewind.js";

const dryRun = Type.Optional(
  Type.Boolean({ description: "Lists what would change, and changes nothing." }),
);
const skipConflicts = Type.Optional(
  Type.Boolean({
    description: "Leaves files with conflicts as they are, in place of refusing the rewind.",
  }),
);

export const RewindOp = Type.Object(
  {
    type: Type.Literal("rewind"),
    turn_id: Type.String({ description: "First turn to take back, with all later ones." }),
    what: described(Type.Optional(RewindPart), 'Part to rewind. Default: "chat".'),
    dry_run: dryRun,
    skip_conflicts: skipConflicts,
  },
  {
    $id: "RewindOp",
    description:
      "Returns to the state before a turn. Fails if a turn is active, or if files have conflicts. Answered by `thread_rewound`.",
  },
);
export interface RewindOp extends Static<typeof RewindOp> {}

export const RewindUndoOp = Type.Object(
  { type: Type.Literal("rewind_undo"), dry_run: dryRun, skip_conflicts: skipConflicts },
  {
    $id: "RewindUndoOp",
    description: "Takes back the last rewind or switch. Answered by `thread_rewound`.",
  },
);
export interface RewindUndoOp extends Static<typeof RewindUndoOp> {}

export const SwitchBranchOp = Type.Object(
  {
    type: Type.Literal("switch_branch"),
    turn_id: Type.String({ description: "Last turn of the branch, from any branch of the tree." }),
    what: described(Type.Optional(RewindPart), 'Part to switch. Default: "chat".'),
    dry_run: dryRun,
    skip_conflicts: skipConflicts,
  },
  {
    $id: "SwitchBranchOp",
    description:
      "Continues the conversation after a turn of any branch. Fails if a turn is active. Answered by `thread_rewound`.",
  },
);
export interface SwitchBranchOp extends Static<typeof SwitchBranchOp> {}

export const UndoOp = Type.Object(
  { type: Type.Literal("undo") },
  {
    $id: "UndoOp",
    description:
      "Restores the files that the last turn with changes has changed. Answered by `undo_started` and `undo_completed`.",
  },
);
export interface UndoOp extends Static<typeof UndoOp> {}
