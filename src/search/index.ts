export { fileNameOf } from "./file-name.js";
export { byScore, FileSearch, type FileSearchOptions, type FoundFile } from "./file-search.js";
export type { Entry, PathMatch } from "./path-list.js";
