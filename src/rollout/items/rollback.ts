import type { ResponseItem } from "../../protocol/types.js";
import { isUserMessage } from "./message-kind.js";

/**
 * How many items are left when the last turns of the user are taken back.
 *
 * What stands before the first message of the user always stays.
 */
export function lengthWithoutLastTurns(items: readonly ResponseItem[], turns: number): number {
  let length = items.length;
  let left = turns;
  for (let index = items.length - 1; index >= 0 && left > 0; index--) {
    const item = items[index];
    if (item === undefined || !isUserMessage(item)) continue;
    length = index;
    left--;
  }
  return length;
}
