import Type, { type Static } from "typebox";
import { Nullable } from "../../schema.js";
import { defineMethod, defineNotification } from "../declare.js";
import { EmptyResponse } from "./common.js";

const sessionId = Type.String({ description: "The session, by the name its client gave it." });
const query = Type.String({ description: "What the user typed." });
const roots = Type.Array(Type.String(), { description: "The folders to search in." });

export const FuzzyFileSearchResult = Type.Object(
  {
    root: Type.String({ description: "The folder it was found in, of those asked for." }),
    path: Type.String({ description: "From there." }),
    match_type: Type.Enum(["file", "directory"], { description: "What it is." }),
    file_name: Type.String({ description: "Its last name." }),
    score: Type.Integer({ description: "How well it fits; more is better." }),
    indices: Nullable(Type.Array(Type.Integer()), {
      description: "The characters of `path` that stand for those typed.",
    }),
  },
  { $id: "FuzzyFileSearchResult", description: "A file or folder that fits." },
);
export interface FuzzyFileSearchResult extends Static<typeof FuzzyFileSearchResult> {}

const files = Type.Array(FuzzyFileSearchResult, { description: "What fits, the best first." });

export const FuzzyFileSearchParams = Type.Object(
  {
    query,
    roots,
    cancellationToken: Type.Optional(
      Type.String({ description: "An earlier search with the same word is given up." }),
    ),
  },
  { $id: "FuzzyFileSearchParams", description: "What to search for, and where." },
);
export interface FuzzyFileSearchParams extends Static<typeof FuzzyFileSearchParams> {}

export const FuzzyFileSearchResponse = Type.Object(
  { files },
  { $id: "FuzzyFileSearchResponse", description: "What was found." },
);
export interface FuzzyFileSearchResponse extends Static<typeof FuzzyFileSearchResponse> {}

export const FuzzyFileSearchSessionStartParams = Type.Object(
  { sessionId, roots },
  { $id: "FuzzyFileSearchSessionStartParams", description: "Where a session searches." },
);
export interface FuzzyFileSearchSessionStartParams
  extends Static<typeof FuzzyFileSearchSessionStartParams> {}

export const FuzzyFileSearchSessionUpdateParams = Type.Object(
  { sessionId, query },
  { $id: "FuzzyFileSearchSessionUpdateParams", description: "What it searches for now." },
);
export interface FuzzyFileSearchSessionUpdateParams
  extends Static<typeof FuzzyFileSearchSessionUpdateParams> {}

export const FuzzyFileSearchSessionStopParams = Type.Object(
  { sessionId },
  { $id: "FuzzyFileSearchSessionStopParams", description: "Which session to end." },
);
export interface FuzzyFileSearchSessionStopParams
  extends Static<typeof FuzzyFileSearchSessionStopParams> {}

export const FuzzyFileSearchSessionUpdatedNotification = Type.Object(
  { sessionId, query, files },
  { $id: "FuzzyFileSearchSessionUpdatedNotification", description: "What was found by now." },
);
export interface FuzzyFileSearchSessionUpdatedNotification
  extends Static<typeof FuzzyFileSearchSessionUpdatedNotification> {}

export const FuzzyFileSearchSessionCompletedNotification = Type.Object(
  { sessionId },
  {
    $id: "FuzzyFileSearchSessionCompletedNotification",
    description: "All files have been looked at; what was told last stays.",
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
    experimental: true,
    params: FuzzyFileSearchSessionStartParams,
    result: EmptyResponse,
  }),
  defineMethod({
    name: "fuzzyFileSearch/sessionUpdate",
    summary: "Changes the query of a search session.",
    scope: "connection",
    experimental: true,
    params: FuzzyFileSearchSessionUpdateParams,
    result: EmptyResponse,
  }),
  defineMethod({
    name: "fuzzyFileSearch/sessionStop",
    summary: "Stops a search session.",
    scope: "connection",
    experimental: true,
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
