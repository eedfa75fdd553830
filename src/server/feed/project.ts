import type { Event } from "../../protocol/types.js";
import { callTranslators, execTranslators, reviewTranslators } from "./calls.js";
import { messageTranslators } from "./messages.js";
import type { Teller, Translators } from "./projection.js";
import { statusTranslators } from "./status.js";
import { turnTranslators } from "./turn.js";

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
