export {
  byScore,
  FileSearch,
  type FileSearchOptions,
  type FoundFile,
  fileNameOf,
} from "./file-search.js";
export type { Entry, PathMatch } from "./path-list.js";
