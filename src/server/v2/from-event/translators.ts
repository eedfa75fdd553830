import type { Event, EventMsg } from "../../../protocol/types.js";
import type { Teller } from "./teller.js";

/** An event of one type. */
export type EventOf<Type extends EventMsg["type"]> = Event & {
  msg: Extract<EventMsg, { type: Type }>;
};

/** What is told of events, by their type; of others nothing is. */
export type Translators = {
  [Type in EventMsg["type"]]?: (event: EventOf<Type>, teller: Teller) => void;
};
