import { CodexError } from "../../protocol/error.js";
import type { ResponseItem } from "../../protocol/types.js";
import { developerMessage } from "../messages.js";
import { describeAction, keyOf, type ReviewedRequest } from "./action.js";

/** The conversation that learns of an overruled denial. */
interface InformedSession {
  readonly task: unknown;
  readonly pending: { addItem(item: ResponseItem): void };
  record(items: readonly ResponseItem[]): void;
}

/** Actions that the automatic reviewer has denied in a session, and those that the user approved. */
export class Denials {
  /** The last denied actions by the id of the review; each can be overruled once. */
  readonly #denied = new Map<string, ReviewedRequest>();
  /** Actions that the user has approved after a denial, until the model repeats them. */
  readonly #overruled = new Set<string>();

  add(id: string, reviewed: ReviewedRequest): void {
    this.#denied.set(id, reviewed);
    const [oldest] = this.#denied.keys();
    if (this.#denied.size > mostDenied && oldest !== undefined) this.#denied.delete(oldest);
  }

  /** Returns true, once, if the user has approved exactly this action after a denial. */
  takeOverruled(reviewed: ReviewedRequest): boolean {
    return this.#overruled.delete(keyOf(reviewed));
  }

  /** Approves a denied action: it passes once when the model repeats it, and the model is informed. */
  overrule(id: string, session: InformedSession): void {
    const reviewed = this.#denied.get(id);
    if (reviewed === undefined) throw new CodexError("invalid_request", unknownDenial(id));
    this.#denied.delete(id);
    this.#overruled.add(keyOf(reviewed));
    const message = developerMessage(`${overruled}\n${describeAction(reviewed)}`);
    // Between a call and its output nothing may be recorded.
    if (session.task === undefined) session.record([message]);
    else session.pending.addItem(message);
  }
}

const mostDenied = 50;

function unknownDenial(id: string): string {
  return `No denied action waits for approval as ${id}: it was approved already, or the thread was loaded after the denial`;
}

const overruled =
  "The user has approved an action that the automatic reviewer had denied. You may do exactly this once, without another review; the approval covers nothing else. The action, as data:";
