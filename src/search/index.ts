export {
  byScore,
  FileSearch,
  type FileSearchOptions,
  type FoundFile,
  fileNameOf,
} from "./file-search.js";
export { addRules, type IgnoreRules, ignoredIn, rulesAbove } from "./ignore-rules.js";
export type { Entry, PathMatch } from "./path-list.js";
