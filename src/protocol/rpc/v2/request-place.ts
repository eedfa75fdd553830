import Type from "typebox";

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
