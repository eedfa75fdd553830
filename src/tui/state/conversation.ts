import { Status } from "./status.js";
import { Transcript } from "./transcript.js";
import { Waiting } from "./waiting.js";

/** One conversation as the screen shows it: state alone, without terminal or server. */
export interface Conversation {
  readonly transcript: Transcript;
  readonly status: Status;
  readonly waiting: Waiting;
}

/** A conversation in which nothing has happened. */
export function createConversation(): Conversation {
  return { transcript: new Transcript(), status: new Status(), waiting: new Waiting() };
}
