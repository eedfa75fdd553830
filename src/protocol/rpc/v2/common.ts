import Type, { type Static } from "typebox";
import { Nullable } from "../../schema.js";

/** Params of all paginated lists. */
export const PageParams = {
  cursor: Type.Optional(Type.String({ description: "`nextCursor` of the previous page." })),
  limit: Type.Optional(Type.Integer({ minimum: 0, description: "Maximum number of entries." })),
};

/** Result field of all paginated lists. */
export const nextCursor = Nullable(Type.String(), {
  description: "Cursor of the next page; `null` on the last page.",
});

export const SortDirection = Type.Enum(["asc", "desc"], {
  $id: "SortDirection",
  description: "Sort order: oldest or newest first.",
});
/** Sort order: oldest or newest first. */
export type SortDirection = Static<typeof SortDirection>;

/** Cursor for the opposite direction. */
export const backwardsCursor = Nullable(Type.String(), {
  description: "Cursor for the opposite direction; it starts with the first entry of this page.",
});

export const NoParams = Type.Object({}, { $id: "NoParams", description: "Nothing." });
export interface NoParams extends Static<typeof NoParams> {}

export const EmptyResponse = Type.Object(
  {},
  { $id: "EmptyResponse", description: "Empty result." },
);
export interface EmptyResponse extends Static<typeof EmptyResponse> {}

/** Thread and turn of a server request. */
export const turnPlace = {
  threadId: Type.String({ description: "Thread id." }),
  turnId: Type.String({ description: "Turn id." }),
};

/** Thread, turn and item of a notification. */
export const place = {
  ...turnPlace,
  itemId: Type.String({ description: "Item id." }),
};

/** The helper agent that makes a server request, if one does. */
export const askingAgent = {
  agentPath: Type.Optional(
    Type.String({ description: "Path of the helper agent that asks, such as `/root/tests`." }),
  ),
  rootThreadId: Type.Optional(
    Type.String({ description: "Thread of the user for which that agent works." }),
  ),
};

/** Thread, turn and item of a server request, and the agent that makes it. */
export const requestPlace = { ...place, ...askingAgent };

/** Time of a server request. */
export const startedAtMs = Type.Integer({
  description: "Time of the request, in Unix milliseconds.",
});
