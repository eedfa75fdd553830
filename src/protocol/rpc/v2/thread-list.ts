import Type, { type Static } from "typebox";
import { described } from "../../schema.js";
import { declareMethod } from "../declare.js";
import { nextCursor, PageParams } from "./page.js";
import { ThreadReadState } from "./read-state.js";
import { Thread } from "./thread.js";
import { backwardsCursor, SortDirection } from "./thread-history.js";

export const ThreadSortKey = Type.Enum(
  ["created_at", "updated_at", "recency_at", "section_position"],
  {
    $id: "ThreadSortKey",
    description:
      "By what threads are sorted: when they began, or when they were last added to (the others).",
  },
);
/** By what threads are sorted. */
export type ThreadSortKey = Static<typeof ThreadSortKey>;

export const ThreadSourceKind = Type.Enum(
  [
    "cli",
    "vscode",
    "exec",
    "appServer",
    "subAgent",
    "subAgentReview",
    "subAgentCompact",
    "subAgentThreadSpawn",
    "subAgentOther",
    "unknown",
  ],
  { $id: "ThreadSourceKind", description: "What kind of program began a thread." },
);
/** What kind of program began a thread. */
export type ThreadSourceKind = Static<typeof ThreadSourceKind>;

export const ThreadListParams = Type.Object(
  {
    ...PageParams,
    excludedThreadIds: Type.Optional(
      Type.Array(Type.String(), { maxItems: 100, description: "Threads that are left out." }),
    ),
    sortKey: described(Type.Optional(ThreadSortKey), "`created_at`, if absent."),
    sortDirection: described(Type.Optional(SortDirection), "The newest first, if absent."),
    modelProviders: Type.Optional(
      Type.Array(Type.String(), { description: "Only threads of these; all when empty." }),
    ),
    sourceKinds: Type.Optional(
      Type.Array(ThreadSourceKind, {
        description: "Only threads begun by these; `cli` and `vscode`, if absent or empty.",
      }),
    ),
    originators: Type.Optional(
      Type.Array(Type.String(), { description: "Only threads begun by these programs." }),
    ),
    archived: Type.Optional(
      Type.Boolean({ description: "Those put away, instead of the others." }),
    ),
    sectionId: Type.Optional(
      Type.String({ description: "Only threads of a section; there are none, so it has none." }),
    ),
    cwd: Type.Optional(
      Type.Union([Type.String(), Type.Array(Type.String())], {
        description: "Only threads that began there.",
      }),
    ),
    useStateDbOnly: Type.Optional(Type.Boolean({ description: "Passed over." })),
    searchTerm: Type.Optional(
      Type.String({ description: "Only threads with this in their name or preview." }),
    ),
  },
  { $id: "ThreadListParams", description: "Which page of which recorded threads." },
);
export interface ThreadListParams extends Static<typeof ThreadListParams> {}

export const ThreadListResponse = Type.Object(
  {
    data: Type.Array(Thread, { description: "The threads, without their turns." }),
    readStates: Type.Record(Type.String(), ThreadReadState, {
      description: "How far the user has read them, by their ids.",
    }),
    nextCursor,
    backwardsCursor,
  },
  { $id: "ThreadListResponse", description: "A page of the recorded threads." },
);
export interface ThreadListResponse extends Static<typeof ThreadListResponse> {
  data: Thread[];
  readStates: Record<string, ThreadReadState>;
}

export const threadListMethods = [
  declareMethod(
    "thread/list",
    "Lists the recorded threads in which the user has said something.",
    ThreadListParams,
    ThreadListResponse,
  ),
];
