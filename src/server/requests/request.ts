import type { V2ServerRequests } from "../../protocol/rpc/v2/methods.generated.js";
import type { Event, Op } from "../../protocol/types.js";

/** A server request with its params, for each method. */
type ServerRequest = {
  [Method in keyof V2ServerRequests]: {
    method: Method;
    params: V2ServerRequests[Method]["params"];
  };
}[keyof V2ServerRequests];

/** Something that the engine wants to know, and how answers of clients are read. */
export type Question = ServerRequest & {
  /** Names it among all that wait. */
  key: string;
  /** The event that asks it, for clients of the older methods. */
  event: Event;
  /** What an answer says to the engine; one that cannot be read says no. */
  toOp(answer: unknown): Op;
  /** What is said to the engine when the client answers with an error. */
  refusal: Op;
  /** Not every client can answer it: the error of one that cannot is no answer yet. */
  needsAbility?: true;
};
