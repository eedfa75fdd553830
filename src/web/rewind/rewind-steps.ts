import type { ThreadRewindResponse } from "../../protocol/rpc/v2/rewind.js";
import { restoreDraft } from "../composer/drafts.js";
import { request } from "../state/app.js";
import type { ThreadView } from "../state/thread-view.js";

/** A way to another state of a thread. */
export type Rewind =
  /** Back to before a turn. */
  | { kind: "rewind"; turnId: string }
  /** On from a turn of any branch. */
  | { kind: "switch"; turnId: string }
  /** Takes back the last of either. */
  | { kind: "undo" };

export type RewindPart = ThreadRewindResponse["what"];

/** Lists what a rewind would change. */
export function previewRewind(
  { id: threadId }: ThreadView,
  rewind: Rewind,
): Promise<ThreadRewindResponse> {
  return requestRewind(rewind, { threadId, what: "both", dryRun: true });
}

/** Rewinds; the message that a rewind removes comes back into the composer. */
export async function performRewind(
  view: ThreadView,
  rewind: Rewind,
  options: { what: RewindPart; skipConflicts: boolean },
): Promise<void> {
  const message = rewind.kind === "rewind" ? messageOf(view, rewind.turnId) : undefined;
  await requestRewind(rewind, { threadId: view.id, ...options });
  if (message !== undefined && options.what !== "files") restoreDraft(view.id, message);
}

/** Returns the first message of the user in a turn, if it is loaded. */
export function messageOf(
  view: ThreadView,
  turnId: string,
): { text: string; images: string[] } | undefined {
  for (const entry of view.entries.peek()) {
    const item = entry.item.peek();
    if (entry.turnId !== turnId || item.type !== "userMessage") continue;
    const texts = item.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
    const images = item.content.flatMap((part) => (part.type === "image" ? [part.url] : []));
    return { text: texts.join("\n"), images };
  }
  return undefined;
}

interface RewindOptions {
  threadId: string;
  what: RewindPart;
  dryRun?: boolean;
  skipConflicts?: boolean;
}

function requestRewind(
  rewind: Rewind,
  { what, ...options }: RewindOptions,
): Promise<ThreadRewindResponse> {
  switch (rewind.kind) {
    case "undo":
      return request("thread/rewind/undo", options);
    case "rewind":
      return request("thread/rewind", { ...options, what, turnId: rewind.turnId });
    case "switch":
      return request("thread/tree/switch", { ...options, what, turnId: rewind.turnId });
  }
}
