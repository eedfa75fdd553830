import type { ServerRequests } from "../../protocol/rpc/v2/methods.generated.js";
import type { Event, Op } from "../../protocol/types.js";

/** Something that the engine wants to know, and how answers of clients are read. */
export interface Question {
  /** Names it among all that wait. */
  key: string;
  /** The event that asks it, for clients of the older methods. */
  event: Event;
  method: keyof ServerRequests;
  params: ServerRequests[keyof ServerRequests]["params"];
  /** What an answer says to the engine; one that cannot be read says no. */
  toOp(answer: unknown): Op;
  /** What is said to the engine when the client answers with an error. */
  refusal: Op;
  /** Not every client can answer it: the error of one that cannot is no answer yet. */
  needsAbility?: true;
}
