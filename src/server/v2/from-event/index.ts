import type { Event } from "../../../protocol/types.js";
import { callTranslators } from "./call.js";
import { execTranslators } from "./exec.js";
import { messageTranslators } from "./message.js";
import { reviewTranslators } from "./review.js";
import { statusTranslators } from "./status.js";
import type { Teller } from "./teller.js";
import type { Translators } from "./translators.js";
import { turnTranslators } from "./turn.js";

export { toEraItem, toEraTurn } from "./era-item.js";
export { Teller } from "./teller.js";
export { begunTurn, tellStarted } from "./turn.js";

/** Tells what an event says, in the words of v2; of some there is nothing to tell. */
export function tellEvent(event: Event, teller: Teller): void {
  const translate = translators[event.msg.type] as Translate | undefined;
  translate?.(event, teller);
}

type Translate = (event: Event, teller: Teller) => void;

const translators: Translators = {
  ...turnTranslators,
  ...messageTranslators,
  ...execTranslators,
  ...callTranslators,
  ...reviewTranslators,
  ...statusTranslators,
};
