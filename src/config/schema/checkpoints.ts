import Type, { type Static } from "typebox";
import { Count, setting } from "./setting.js";

export const GhostSnapshotToml = Type.Object(
  {
    ignore_large_untracked_files: setting(Type.Integer(), {
      text: "Does not store files larger than this many bytes; 0 stores all up to 64 MiB. Default: 64 MiB.",
      since: "0.98",
      project: true,
    }),
    ignore_large_untracked_dirs: setting(Type.Integer(), {
      text: "Does not look for changes of commands in directories with more files than this; 0 looks in all. Default: 0.",
      since: "0.98",
      project: true,
    }),
    disable_warnings: setting(Type.Boolean(), {
      text: "Disables warnings about files that cannot be restored.",
      default: false,
      since: "0.98",
      project: true,
    }),
  },
  { $id: "GhostSnapshotToml", description: "Limits of checkpoints, by their older name." },
);
export interface GhostSnapshotToml extends Static<typeof GhostSnapshotToml> {}

export const CheckpointsToml = Type.Object(
  {
    max_mb: setting(Count(), {
      text: "Maximum size of all stored files in MiB; those used least recently are removed.",
      default: 2048,
      since: "current",
    }),
  },
  { $id: "CheckpointsToml", description: "Checkpoints: the files that turns change, for rewinds." },
);
export interface CheckpointsToml extends Static<typeof CheckpointsToml> {}

/** Checkpoints, for rewinds; `features.undo` enables them. */
export const checkpointKeys = {
  checkpoints: setting(CheckpointsToml, {
    text: "Storage of the files that turns change, for rewinds.",
    since: "current",
  }),
  ghost_snapshot: setting(GhostSnapshotToml, {
    text: "Limits of checkpoints.",
    since: "0.98",
    project: true,
  }),
};
