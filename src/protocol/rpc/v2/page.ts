import Type from "typebox";
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
