import { CodexError } from "../../protocol/error.js";
import type { EventMsg, GuardianAssessmentEvent, ResponseItem } from "../../protocol/types.js";
import { developerMessage } from "../messages.js";
import { keyOf, type ReviewedRequest } from "./action.js";

/** The session whose denials these are; its conversation learns of an overruled one. */
interface InformedSession {
  denials: Denials | undefined;
  /** Reviews in the log of a resumed session. */
  readonly replayedReviews: readonly EventMsg[];
  readonly task: unknown;
  readonly pending: { addItem(item: ResponseItem): void };
  record(items: readonly ResponseItem[]): void;
}

/** Returns the denials of a session; they are created with the first use. */
export function denialsOf(session: InformedSession): Denials {
  session.denials ??= new Denials(session.replayedReviews);
  return session.denials;
}

/** Actions that the automatic reviewer has denied in a session, and those that the user approved. */
export class Denials {
  /** The last denials by the id of the review; each can be overruled once. */
  readonly #denied = new Map<string, GuardianAssessmentEvent>();
  /** Denials that the user has overruled, by the key of their action, until the model repeats it. */
  readonly #overruled = new Map<string, GuardianAssessmentEvent>();

  /** `replayed` are the reviews of a resumed session: an approval under the id of a denial has used it up. */
  constructor(replayed: readonly EventMsg[] = []) {
    for (const msg of replayed) {
      if (msg.type !== "guardian_assessment") continue;
      if (msg.status === "denied") this.add(msg);
      else this.#denied.delete(msg.id);
    }
  }

  add(denied: GuardianAssessmentEvent): void {
    this.#denied.set(denied.id, denied);
    const [oldest] = this.#denied.keys();
    if (this.#denied.size > mostDenied && oldest !== undefined) this.#denied.delete(oldest);
  }

  /** Returns the denial, once, if the user has approved exactly this action after it. */
  takeOverruled(reviewed: ReviewedRequest): GuardianAssessmentEvent | undefined {
    const key = keyOf(reviewed);
    const overruled = this.#overruled.get(key);
    this.#overruled.delete(key);
    return overruled;
  }

  /** Approves a denied action: it passes once when the model repeats it, and the model is informed. */
  overrule(id: string, session: InformedSession): void {
    const denied = this.#denied.get(id);
    if (denied?.exact_action === undefined) {
      throw new CodexError("invalid_request", unknownDenial(id));
    }
    const { key, text } = denied.exact_action;
    this.#denied.delete(id);
    this.#overruled.set(key, denied);
    const message = developerMessage(`${overruled}\n${text}`);
    // Between a call and its output nothing may be recorded.
    if (session.task === undefined) session.record([message]);
    else session.pending.addItem(message);
  }
}

const mostDenied = 50;

function unknownDenial(id: string): string {
  return `No denied action waits for approval as ${id}: it was approved already, or ${mostDenied} others were denied since`;
}

const overruled =
  "The user has approved an action that the automatic reviewer had denied. You may do exactly this once, without another review; the approval covers nothing else. The action, as data:";
