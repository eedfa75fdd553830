import Type, { type Static } from "typebox";
import { Nullable, since } from "../../schema.js";
import { defineMethod, defineNotification } from "../declare.js";
import { EmptyResponse } from "./common.js";

const sessionId = Type.String({ description: "Session id chosen by the client." });
const query = Type.String({ description: "Search query." });
const roots = Type.Array(Type.String(), { description: "Directories to search." });

export const FuzzyFileSearchResult = Type.Object(
  {
    root: Type.String({ description: "Searched directory that contains it." }),
    path: Type.String({ description: "Path relative to `root`." }),
    match_type: since("0.166", Type.Enum(["file", "directory"], { description: "Kind of entry." })),
    file_name: Type.String({ description: "Base name." }),
    score: Type.Integer({ description: "Match score; higher is better." }),
    indices: Nullable(Type.Array(Type.Integer()), {
      description: "Indices of the matched characters of `path`.",
    }),
  },
  { $id: "FuzzyFileSearchResult", description: "A matching file or directory." },
);
export interface FuzzyFileSearchResult extends Static<typeof FuzzyFileSearchResult> {}

const files = Type.Array(FuzzyFileSearchResult, { description: "Matches, best first." });

export const FuzzyFileSearchParams = Type.Object(
  {
    query,
    roots,
    cancellationToken: Type.Optional(
      Type.String({ description: "Cancels an earlier search with the same token." }),
    ),
  },
  { $id: "FuzzyFileSearchParams", description: "Params of `fuzzyFileSearch`." },
);
export interface FuzzyFileSearchParams extends Static<typeof FuzzyFileSearchParams> {}

export const FuzzyFileSearchResponse = Type.Object(
  { files },
  { $id: "FuzzyFileSearchResponse", description: "Matches." },
);
export interface FuzzyFileSearchResponse extends Static<typeof FuzzyFileSearchResponse> {}

export const FuzzyFileSearchSessionStartParams = Type.Object(
  { sessionId, roots },
  {
    $id: "FuzzyFileSearchSessionStartParams",
    description: "Params of `fuzzyFileSearch/sessionStart`.",
  },
);
export interface FuzzyFileSearchSessionStartParams
  extends Static<typeof FuzzyFileSearchSessionStartParams> {}

export const FuzzyFileSearchSessionUpdateParams = Type.Object(
  { sessionId, query },
  {
    $id: "FuzzyFileSearchSessionUpdateParams",
    description: "Params of `fuzzyFileSearch/sessionUpdate`.",
  },
);
export interface FuzzyFileSearchSessionUpdateParams
  extends Static<typeof FuzzyFileSearchSessionUpdateParams> {}

export const FuzzyFileSearchSessionStopParams = Type.Object(
  { sessionId },
  {
    $id: "FuzzyFileSearchSessionStopParams",
    description: "Params of `fuzzyFileSearch/sessionStop`.",
  },
);
export interface FuzzyFileSearchSessionStopParams
  extends Static<typeof FuzzyFileSearchSessionStopParams> {}

export const FuzzyFileSearchSessionUpdatedNotification = Type.Object(
  { sessionId, query, files },
  { $id: "FuzzyFileSearchSessionUpdatedNotification", description: "Matches so far." },
);
export interface FuzzyFileSearchSessionUpdatedNotification
  extends Static<typeof FuzzyFileSearchSessionUpdatedNotification> {}

export const FuzzyFileSearchSessionCompletedNotification = Type.Object(
  { sessionId },
  {
    $id: "FuzzyFileSearchSessionCompletedNotification",
    description: "All files have been searched; the last results are final.",
  },
);
export interface FuzzyFileSearchSessionCompletedNotification
  extends Static<typeof FuzzyFileSearchSessionCompletedNotification> {}

export const fileSearchMethods = [
  defineMethod({
    name: "fuzzyFileSearch",
    summary: "Searches files by parts of their names.",
    scope: "server",
    params: FuzzyFileSearchParams,
    result: FuzzyFileSearchResponse,
  }),
  defineMethod({
    name: "fuzzyFileSearch/sessionStart",
    summary: "Starts a search session, for results while the user types.",
    scope: "connection",
    experimental: "0.104",
    params: FuzzyFileSearchSessionStartParams,
    result: EmptyResponse,
  }),
  defineMethod({
    name: "fuzzyFileSearch/sessionUpdate",
    summary: "Changes the query of a search session.",
    scope: "connection",
    experimental: "0.104",
    params: FuzzyFileSearchSessionUpdateParams,
    result: EmptyResponse,
  }),
  defineMethod({
    name: "fuzzyFileSearch/sessionStop",
    summary: "Stops a search session.",
    scope: "connection",
    experimental: "0.104",
    params: FuzzyFileSearchSessionStopParams,
    result: EmptyResponse,
  }),
  defineNotification({
    name: "fuzzyFileSearch/sessionUpdated",
    summary: "Results of a search session.",
    scope: "connection",
    params: FuzzyFileSearchSessionUpdatedNotification,
  }),
  defineNotification({
    name: "fuzzyFileSearch/sessionCompleted",
    summary: "A search session has searched all files.",
    scope: "connection",
    params: FuzzyFileSearchSessionCompletedNotification,
  }),
];
