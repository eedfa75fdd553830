import type { ResponseItem } from "../protocol/types.js";
import { developerMessage } from "./opening/messages.js";

/** The instructions as a message, the same one as long as they are the same. */
export class InstructionsMessage {
  #text: string | undefined;
  #message: ResponseItem = developerMessage();

  of(text: string): ResponseItem {
    if (text === this.#text) return this.#message;
    this.#text = text;
    this.#message = developerMessage(text);
    return this.#message;
  }
}
