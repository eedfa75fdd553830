import type { Event } from "../../../protocol/types.js";
import type { Teller } from "./teller.js";

/** The turn an event belongs to. */
export function turnOf(event: Event, { turn }: Teller): string {
  return turn?.id ?? event.turn_id ?? event.id;
}

/** The item an event is about. */
export function itemOf({ item_id = "" }: Event): string {
  return item_id;
}
