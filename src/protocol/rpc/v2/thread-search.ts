import Type, { type Static } from "typebox";
import { allSince, described } from "../../schema.js";
import { defineMethod } from "../declare.js";
import { backwardsCursor, nextCursor, PageParams, SortDirection } from "./common.js";
import { Thread } from "./thread.js";
import { ThreadSourceKind } from "./thread-list.js";

const searchTerm = Type.String({ description: "Text to find; upper and lower case are equal." });

export const ThreadSearchParams = Type.Object(
  {
    searchTerm,
    ...PageParams,
    sortKey: Type.Optional(
      Type.Enum(["created_at", "updated_at", "recency_at"], {
        description: "Sort key: creation time (default), or time of the last update.",
      }),
    ),
    sortDirection: described(Type.Optional(SortDirection), "Sort order. Default: newest first."),
    sourceKinds: Type.Optional(
      Type.Array(ThreadSourceKind, {
        description: "Limits the search to these kinds of clients. Default: `cli` and `vscode`.",
      }),
    ),
    archived: Type.Optional(Type.Boolean({ description: "Searches archived threads instead." })),
  },
  { $id: "ThreadSearchParams", description: "Params of `thread/search`." },
);
export interface ThreadSearchParams extends Static<typeof ThreadSearchParams> {}

export const ThreadSearchResult = Type.Object(
  allSince("0.166", {
    thread: described(Thread, "Thread without its turns."),
    snippet: Type.String({ description: "Part of the first message with the text." }),
  }),
  { $id: "ThreadSearchResult", description: "A thread that contains a text." },
);
export interface ThreadSearchResult extends Static<typeof ThreadSearchResult> {
  thread: Thread;
}

export const ThreadSearchResponse = Type.Object(
  allSince("0.166", {
    data: Type.Array(ThreadSearchResult, { description: "Threads." }),
    nextCursor,
    backwardsCursor,
  }),
  { $id: "ThreadSearchResponse", description: "Result of `thread/search`." },
);
export interface ThreadSearchResponse extends Static<typeof ThreadSearchResponse> {
  data: ThreadSearchResult[];
}

export const ThreadSearchOccurrencesParams = Type.Object(
  { threadId: Type.String({ description: "Thread id (UUID)." }), searchTerm, ...PageParams },
  {
    $id: "ThreadSearchOccurrencesParams",
    description: "Params of `thread/searchOccurrences`.",
  },
);
export interface ThreadSearchOccurrencesParams
  extends Static<typeof ThreadSearchOccurrencesParams> {}

export const ThreadSearchTextRange = Type.Object(
  allSince("0.166", {
    start: Type.Integer({ description: "First character." }),
    end: Type.Integer({ description: "Character after the last one." }),
  }),
  { $id: "ThreadSearchTextRange", description: "Part of a text, in UTF-16 code units." },
);
export interface ThreadSearchTextRange extends Static<typeof ThreadSearchTextRange> {}

export const ThreadSearchOccurrence = Type.Object(
  allSince("0.166", {
    turnId: Type.String({ description: "Turn id." }),
    itemId: Type.String({ description: "Message." }),
    snippet: Type.String({ description: "Part of the message." }),
    snippetMatchRange: described(ThreadSearchTextRange, "The text in the snippet."),
    turnCursor: Type.String({
      description: "Cursor for `thread/turns/list` that starts with the turn.",
    }),
  }),
  { $id: "ThreadSearchOccurrence", description: "A place where a text occurs." },
);
export interface ThreadSearchOccurrence extends Static<typeof ThreadSearchOccurrence> {
  snippetMatchRange: ThreadSearchTextRange;
}

export const ThreadSearchOccurrencesResponse = Type.Object(
  allSince("0.166", {
    data: Type.Array(ThreadSearchOccurrence, { description: "Places, oldest first." }),
    nextCursor,
  }),
  {
    $id: "ThreadSearchOccurrencesResponse",
    description: "Result of `thread/searchOccurrences`.",
  },
);
export interface ThreadSearchOccurrencesResponse
  extends Static<typeof ThreadSearchOccurrencesResponse> {
  data: ThreadSearchOccurrence[];
}

const dates = { since: "0.166", experimental: "0.166" } as const;

export const threadSearchMethods = [
  defineMethod({
    name: "thread/search",
    summary: "Lists the threads whose messages contain a text.",
    scope: "server",
    params: ThreadSearchParams,
    result: ThreadSearchResponse,
    ...dates,
  }),
  defineMethod({
    name: "thread/searchOccurrences",
    summary: "Lists the places in the messages of a thread where a text occurs.",
    scope: "thread",
    params: ThreadSearchOccurrencesParams,
    result: ThreadSearchOccurrencesResponse,
    ...dates,
  }),
];
