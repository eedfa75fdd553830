export { type ApplyOptions, type ApplyOutcome, applyChanges, type WriteGuard } from "./apply.js";
export { applySections, type SectionsOutcome } from "./apply-sections.js";
export { type UnifiedDiffOptions, unifiedDiff } from "./diff/unified-diff.js";
export { commandLineText, failureText, type PatchFailure, type SystemCause } from "./failure.js";
export type { FileRights, FileSnapshot } from "./file-snapshot.js";
export {
  type AddHunk,
  type ChunkLine,
  type DeleteHunk,
  type Hunk,
  newLines,
  oldLines,
  type PatchError,
  type UpdateChunk,
  type UpdateHunk,
} from "./hunk.js";
export { MAX_PATCH_LENGTH } from "./limits.js";
export type { LineEndings } from "./new-contents.js";
export type { OpenBuffers } from "./open-buffers.js";
export { type ParsedPatch, type ParseOptions, type PatchParse, parsePatch } from "./parse.js";
export { PatchStream } from "./patch-stream.js";
export { type PatchCall, recognizePatchCall } from "./recognize.js";
export { recordedFailureText } from "./recorded-failure.js";
export { type PinnedFolder, pinFolder, resolveTarget } from "./target.js";
export { TurnDiff, type TurnDiffOptions } from "./turn-diff.js";
export type { FileEdit, VerifiedPatch } from "./verified-patch.js";
export { type Verification, type VerifyOptions, verifyPatch } from "./verify.js";
