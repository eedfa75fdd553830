import Type, { type Static } from "typebox";
import { defineMethod, defineNotification } from "../declare.js";
import { EmptyResponse } from "./common.js";

const path = Type.String({ description: "The path, absolute." });
const dataBase64 = Type.String({ description: "What is in the file, as Base64." });
const watchId = Type.String({ description: "The watch, by the name its client gave it." });
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));
const isDirectory = Type.Boolean({ description: "It is a folder, or a link to one." });
const isFile = Type.Boolean({ description: "It is a file, or a link to one." });

export const FsReadFileParams = Type.Object(
  { path },
  { $id: "FsReadFileParams", description: "The file to read." },
);
export interface FsReadFileParams extends Static<typeof FsReadFileParams> {}

export const FsReadFileResponse = Type.Object(
  { dataBase64 },
  { $id: "FsReadFileResponse", description: "What is in a file." },
);
export interface FsReadFileResponse extends Static<typeof FsReadFileResponse> {}

export const FsWriteFileParams = Type.Object(
  { path, dataBase64 },
  { $id: "FsWriteFileParams", description: "A file and what it shall say." },
);
export interface FsWriteFileParams extends Static<typeof FsWriteFileParams> {}

export const FsCreateDirectoryParams = Type.Object(
  { path, recursive: flag("Makes the folders above it too; so it is if absent.") },
  { $id: "FsCreateDirectoryParams", description: "The folder to make." },
);
export interface FsCreateDirectoryParams extends Static<typeof FsCreateDirectoryParams> {}

export const FsGetMetadataParams = Type.Object(
  { path },
  { $id: "FsGetMetadataParams", description: "What to look at." },
);
export interface FsGetMetadataParams extends Static<typeof FsGetMetadataParams> {}

export const FsGetMetadataResponse = Type.Object(
  {
    isDirectory,
    isFile,
    isSymlink: Type.Boolean({ description: "The path itself is a link." }),
    createdAtMs: Type.Integer({ description: "When it was made, in Unix milliseconds; else 0." }),
    modifiedAtMs: Type.Integer({ description: "When it was last changed, likewise." }),
  },
  { $id: "FsGetMetadataResponse", description: "What is at a path." },
);
export interface FsGetMetadataResponse extends Static<typeof FsGetMetadataResponse> {}

export const FsReadDirectoryParams = Type.Object(
  { path },
  { $id: "FsReadDirectoryParams", description: "The folder to list." },
);
export interface FsReadDirectoryParams extends Static<typeof FsReadDirectoryParams> {}

export const FsReadDirectoryEntry = Type.Object(
  { fileName: Type.String({ description: "Its name in the folder." }), isDirectory, isFile },
  { $id: "FsReadDirectoryEntry", description: "Something in a folder." },
);
export interface FsReadDirectoryEntry extends Static<typeof FsReadDirectoryEntry> {}

export const FsReadDirectoryResponse = Type.Object(
  { entries: Type.Array(FsReadDirectoryEntry, { description: "By name." }) },
  { $id: "FsReadDirectoryResponse", description: "What is in a folder." },
);
export interface FsReadDirectoryResponse extends Static<typeof FsReadDirectoryResponse> {}

export const FsRemoveParams = Type.Object(
  {
    path,
    recursive: flag("A folder goes with all that is in it; so it is if absent."),
    force: flag("What is not there is no error; so it is if absent."),
  },
  { $id: "FsRemoveParams", description: "What to remove; a link goes, not what it leads to." },
);
export interface FsRemoveParams extends Static<typeof FsRemoveParams> {}

export const FsCopyParams = Type.Object(
  {
    sourcePath: Type.String({ description: "What to copy, absolute." }),
    destinationPath: Type.String({ description: "What the copy shall be, absolute." }),
    recursive: flag("Needed to copy a folder; links in it stay links."),
  },
  { $id: "FsCopyParams", description: "What to copy where." },
);
export interface FsCopyParams extends Static<typeof FsCopyParams> {}

export const FsWatchParams = Type.Object(
  { watchId, path },
  { $id: "FsWatchParams", description: "The file, or the folder and what is right in it." },
);
export interface FsWatchParams extends Static<typeof FsWatchParams> {}

export const FsWatchResponse = Type.Object(
  { path: Type.String({ description: "What is watched, without links." }) },
  { $id: "FsWatchResponse", description: "It is being watched." },
);
export interface FsWatchResponse extends Static<typeof FsWatchResponse> {}

export const FsUnwatchParams = Type.Object(
  { watchId },
  { $id: "FsUnwatchParams", description: "Which watch to end." },
);
export interface FsUnwatchParams extends Static<typeof FsUnwatchParams> {}

export const FsChangedNotification = Type.Object(
  {
    watchId,
    changedPaths: Type.Array(Type.String(), { description: "What has changed, absolute." }),
  },
  { $id: "FsChangedNotification", description: "Something that is watched has changed." },
);
export interface FsChangedNotification extends Static<typeof FsChangedNotification> {}

export const fsMethods = [
  defineMethod({
    name: "fs/readFile",
    summary: "Reads a file.",
    scope: "server",
    params: FsReadFileParams,
    result: FsReadFileResponse,
  }),
  defineMethod({
    name: "fs/writeFile",
    summary: "Writes a file.",
    scope: "server",
    params: FsWriteFileParams,
    result: EmptyResponse,
  }),
  defineMethod({
    name: "fs/createDirectory",
    summary: "Creates a directory.",
    scope: "server",
    params: FsCreateDirectoryParams,
    result: EmptyResponse,
  }),
  defineMethod({
    name: "fs/getMetadata",
    summary: "Returns the metadata of a path.",
    scope: "server",
    params: FsGetMetadataParams,
    result: FsGetMetadataResponse,
  }),
  defineMethod({
    name: "fs/readDirectory",
    summary: "Lists a directory.",
    scope: "server",
    params: FsReadDirectoryParams,
    result: FsReadDirectoryResponse,
  }),
  defineMethod({
    name: "fs/remove",
    summary: "Removes a file or directory.",
    scope: "server",
    params: FsRemoveParams,
    result: EmptyResponse,
  }),
  defineMethod({
    name: "fs/copy",
    summary: "Copies a file or directory.",
    scope: "server",
    params: FsCopyParams,
    result: EmptyResponse,
  }),
  defineMethod({
    name: "fs/watch",
    summary: "Watches a path; `fs/changed` reports changes.",
    scope: "connection",
    params: FsWatchParams,
    result: FsWatchResponse,
  }),
  defineMethod({
    name: "fs/unwatch",
    summary: "Stops a watch.",
    scope: "connection",
    params: FsUnwatchParams,
    result: EmptyResponse,
  }),
  defineNotification({
    name: "fs/changed",
    summary: "A watched path changed.",
    scope: "connection",
    params: FsChangedNotification,
  }),
];
