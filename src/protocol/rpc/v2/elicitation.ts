import Type, { type Static } from "typebox";
import { allSince } from "../../schema.js";
import { defineMethod } from "../declare.js";
import { ThreadParams } from "./thread.js";

export const ThreadElicitationResponse = Type.Object(
  allSince("0.166", {
    count: Type.Integer({ description: "Questions that clients are asking the user." }),
    paused: Type.Boolean({ description: "True while there are any: time limits are paused." }),
  }),
  {
    $id: "ThreadElicitationResponse",
    description: "Result of `thread/increment_elicitation` and `thread/decrement_elicitation`.",
  },
);
export interface ThreadElicitationResponse extends Static<typeof ThreadElicitationResponse> {}

const counts = {
  scope: "thread",
  params: ThreadParams,
  result: ThreadElicitationResponse,
  since: "0.166",
  experimental: "0.166",
} as const;

export const elicitationMethods = [
  defineMethod({
    name: "thread/increment_elicitation",
    summary:
      "Announces that the client asks the user something itself: until it has the answer, calls wait for their commands without a time limit.",
    ...counts,
  }),
  defineMethod({
    name: "thread/decrement_elicitation",
    summary: "Announces that the client has the answer.",
    ...counts,
  }),
];
