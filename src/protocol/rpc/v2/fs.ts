import Type, { type Static } from "typebox";
import { defineMethod, defineNotification } from "../declare.js";
import { EmptyResponse } from "./common.js";

const path = Type.String({ description: "Absolute path." });
const dataBase64 = Type.String({ description: "Content in Base64." });
const watchId = Type.String({ description: "Watch id chosen by the client." });
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));
const isDirectory = Type.Boolean({ description: "True for a directory or a link to one." });
const isFile = Type.Boolean({ description: "True for a file or a link to one." });

export const FsReadFileParams = Type.Object(
  { path },
  { $id: "FsReadFileParams", description: "Params of `fs/readFile`." },
);
export interface FsReadFileParams extends Static<typeof FsReadFileParams> {}

export const FsReadFileResponse = Type.Object(
  { dataBase64 },
  { $id: "FsReadFileResponse", description: "Result of `fs/readFile`." },
);
export interface FsReadFileResponse extends Static<typeof FsReadFileResponse> {}

export const FsWriteFileParams = Type.Object(
  { path, dataBase64 },
  { $id: "FsWriteFileParams", description: "Params of `fs/writeFile`." },
);
export interface FsWriteFileParams extends Static<typeof FsWriteFileParams> {}

export const FsCreateDirectoryParams = Type.Object(
  { path, recursive: flag("Creates missing parent directories. Default: true.") },
  { $id: "FsCreateDirectoryParams", description: "Params of `fs/createDirectory`." },
);
export interface FsCreateDirectoryParams extends Static<typeof FsCreateDirectoryParams> {}

export const FsGetMetadataParams = Type.Object(
  { path },
  { $id: "FsGetMetadataParams", description: "Params of `fs/getMetadata`." },
);
export interface FsGetMetadataParams extends Static<typeof FsGetMetadataParams> {}

export const FsGetMetadataResponse = Type.Object(
  {
    isDirectory,
    isFile,
    isSymlink: Type.Boolean({ description: "True if the path is a symbolic link." }),
    createdAtMs: Type.Integer({ description: "Creation time in Unix milliseconds; 0 if unknown." }),
    modifiedAtMs: Type.Integer({
      description: "Modification time in Unix milliseconds; 0 if unknown.",
    }),
  },
  { $id: "FsGetMetadataResponse", description: "Result of `fs/getMetadata`." },
);
export interface FsGetMetadataResponse extends Static<typeof FsGetMetadataResponse> {}

export const FsReadDirectoryParams = Type.Object(
  { path },
  { $id: "FsReadDirectoryParams", description: "Params of `fs/readDirectory`." },
);
export interface FsReadDirectoryParams extends Static<typeof FsReadDirectoryParams> {}

export const FsReadDirectoryEntry = Type.Object(
  { fileName: Type.String({ description: "Name in the directory." }), isDirectory, isFile },
  { $id: "FsReadDirectoryEntry", description: "An entry of a directory." },
);
export interface FsReadDirectoryEntry extends Static<typeof FsReadDirectoryEntry> {}

export const FsReadDirectoryResponse = Type.Object(
  { entries: Type.Array(FsReadDirectoryEntry, { description: "Entries, sorted by name." }) },
  { $id: "FsReadDirectoryResponse", description: "Result of `fs/readDirectory`." },
);
export interface FsReadDirectoryResponse extends Static<typeof FsReadDirectoryResponse> {}

export const FsRemoveParams = Type.Object(
  {
    path,
    recursive: flag("Removes directories with their content. Default: true."),
    force: flag("Ignores missing paths. Default: true."),
  },
  {
    $id: "FsRemoveParams",
    description: "Params of `fs/remove`. Links are removed, not their targets.",
  },
);
export interface FsRemoveParams extends Static<typeof FsRemoveParams> {}

export const FsCopyParams = Type.Object(
  {
    sourcePath: Type.String({ description: "Source, an absolute path." }),
    destinationPath: Type.String({ description: "Destination, an absolute path." }),
    recursive: flag("Required to copy a directory; links in it stay links."),
  },
  { $id: "FsCopyParams", description: "Params of `fs/copy`." },
);
export interface FsCopyParams extends Static<typeof FsCopyParams> {}

export const FsWatchParams = Type.Object(
  { watchId, path },
  {
    $id: "FsWatchParams",
    description: "Params of `fs/watch`: a file, or a directory and its direct entries.",
  },
);
export interface FsWatchParams extends Static<typeof FsWatchParams> {}

export const FsWatchResponse = Type.Object(
  { path: Type.String({ description: "Watched path, with links resolved." }) },
  { $id: "FsWatchResponse", description: "Result of `fs/watch`." },
);
export interface FsWatchResponse extends Static<typeof FsWatchResponse> {}

export const FsUnwatchParams = Type.Object(
  { watchId },
  { $id: "FsUnwatchParams", description: "Params of `fs/unwatch`." },
);
export interface FsUnwatchParams extends Static<typeof FsUnwatchParams> {}

export const FsChangedNotification = Type.Object(
  {
    watchId,
    changedPaths: Type.Array(Type.String(), { description: "Changed paths, absolute." }),
  },
  { $id: "FsChangedNotification", description: "A watched path changed." },
);
export interface FsChangedNotification extends Static<typeof FsChangedNotification> {}

export const fsMethods = [
  defineMethod({
    name: "fs/readFile",
    summary: "Reads a file.",
    scope: "server",
    params: FsReadFileParams,
    result: FsReadFileResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "fs/writeFile",
    summary: "Writes a file.",
    scope: "server",
    params: FsWriteFileParams,
    result: EmptyResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "fs/createDirectory",
    summary: "Creates a directory.",
    scope: "server",
    params: FsCreateDirectoryParams,
    result: EmptyResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "fs/getMetadata",
    summary: "Returns the metadata of a path.",
    scope: "server",
    params: FsGetMetadataParams,
    result: FsGetMetadataResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "fs/readDirectory",
    summary: "Lists a directory.",
    scope: "server",
    params: FsReadDirectoryParams,
    result: FsReadDirectoryResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "fs/remove",
    summary: "Removes a file or directory.",
    scope: "server",
    params: FsRemoveParams,
    result: EmptyResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "fs/copy",
    summary: "Copies a file or directory.",
    scope: "server",
    params: FsCopyParams,
    result: EmptyResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "fs/watch",
    summary: "Watches a path; `fs/changed` reports changes.",
    scope: "connection",
    params: FsWatchParams,
    result: FsWatchResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "fs/unwatch",
    summary: "Stops a watch.",
    scope: "connection",
    params: FsUnwatchParams,
    result: EmptyResponse,
    since: "0.166",
  }),
  defineNotification({
    name: "fs/changed",
    summary: "A watched path changed.",
    scope: "connection",
    params: FsChangedNotification,
    since: "0.166",
  }),
];
