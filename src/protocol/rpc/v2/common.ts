import Type, { type Static } from "typebox";
import { Nullable } from "../../schema.js";

/** What all lists that come in pages take. */
export const PageParams = {
  cursor: Type.Optional(
    Type.String({ description: "Where to go on: the `nextCursor` of the page before." }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 0, description: "How many at most." })),
};

/** What all lists that come in pages answer beside their page. */
export const nextCursor = Nullable(Type.String(), {
  description: "Where the next page begins; `null` after the last one.",
});

export const NoParams = Type.Object({}, { $id: "NoParams", description: "Nothing." });
export interface NoParams extends Static<typeof NoParams> {}

export const EmptyResponse = Type.Object(
  {},
  { $id: "EmptyResponse", description: "It is done; there is nothing to say." },
);
export interface EmptyResponse extends Static<typeof EmptyResponse> {}

/** Which turn asks. */
export const turnPlace = {
  threadId: Type.String({ description: "The thread that asks." }),
  turnId: Type.String({ description: "The turn that asks." }),
};

/** Which turn asks, and about what. */
export const place = {
  ...turnPlace,
  itemId: Type.String({ description: "The item it is about." }),
};

/** When something was asked. */
export const startedAtMs = Type.Integer({ description: "When it was asked." });
