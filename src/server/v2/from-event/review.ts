import type { ThreadItem } from "../../../protocol/rpc/v2/item.js";
import type { Event } from "../../../protocol/types.js";
import { reviewHint, reviewText } from "../items/index.js";
import { turnOf } from "./place.js";
import type { Teller } from "./teller.js";
import type { Translators } from "./translators.js";

/** Reviews: that one begins, and what it says. */
export const reviewTranslators: Translators = {
  entered_review_mode(event, teller) {
    const review = reviewHint(event.msg);
    tellWhole({ type: "enteredReviewMode", id: idOf(event, teller), review }, event, teller);
  },
  exited_review_mode(event, teller) {
    const review = reviewText(event.msg);
    tellWhole({ type: "exitedReviewMode", id: idOf(event, teller), review }, event, teller);
  },
};

/** Without a name of their own, both are called like their turn. */
function idOf(event: Event, teller: Teller): string {
  return event.item_id ?? turnOf(event, teller);
}

/** Nothing happens between the beginning and the end of such an item. */
function tellWhole(item: ThreadItem, event: Event, teller: Teller): void {
  const turnId = turnOf(event, teller);
  teller.start(item, turnId);
  teller.complete(item, turnId);
}
