export { BlobStore } from "./blob-store.js";
export type { Unsaved } from "./file-state.js";
export { recoverRestores, restoreFiles } from "./journal.js";
export { type FilePreview, previewSteps } from "./line-counts.js";
export { type CheckpointLimit, getManifest, type Manifest, putManifest } from "./manifest.js";
export { addToStore, measureStore, pruneStore, pruneUnused, type StoreUsage } from "./quota.js";
export { RestoreFailed } from "./restore.js";
export {
  planRestore,
  type RestoreConflict,
  type RestorePlan,
  type RestoreStep,
} from "./restore-plan.js";
export { TurnFiles } from "./turn-files.js";
export { type DeniedPaths, Workspace, type WorkspaceOptions } from "./workspace.js";
