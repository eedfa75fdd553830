export { type DiffToRemote, readDiffToRemote } from "./git/diff-to-remote.js";
export { readHasChanges } from "./git/has-changes.js";
export { readGitInfo } from "./git/info.js";
export { type CommitSummary, readRecentCommits } from "./git/recent-commits.js";
export type { GitPlace } from "./git/run.js";
export { readTrustRoot } from "./git/trust-root.js";
export { defaultRootMarkers, projectFolders } from "./root.js";
