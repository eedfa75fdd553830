import type { FileChange } from "../protocol/types.js";
import type { FileRights, FileSnapshot } from "./file-snapshot.js";

/** What happens to one file, worked out before anything is written. */
export interface FileEdit {
  /** The absolute path as the patch means it; its last part may be a symbolic link. */
  path: string;
  /** The file that is really written or removed. */
  target: string;
  /** What is there now; nothing when the file is new. */
  before: FileSnapshot | undefined;
  /** The whole new text; nothing when the file is removed. */
  after: string | undefined;
  /** Mode and owner for the written file; nothing for those a new file gets. */
  rights: FileRights | undefined;
  /** How the change is listed: `A`, `M` or `D` and the path as the patch spells it. */
  label: string;
}

/** A patch of which every section fits the files as they are. */
export interface VerifiedPatch {
  /** The absolute folder that relative paths of the patch start from. */
  cwd: string;
  /** The changes by absolute path, as events carry them. */
  changes: Record<string, FileChange>;
  /** The steps, in the order in which they are taken; each file is in it once. */
  edits: FileEdit[];
  /** What is printed once all is done. */
  summary: string;
}
