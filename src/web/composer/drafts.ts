import { signal } from "@preact/signals";

/** A message that returns to the composer of its thread. */
export interface RestoredDraft {
  threadId: string;
  text: string;
  images: readonly string[];
}

/** The draft that the composer takes over next. */
export const restoredDraft = signal<RestoredDraft | undefined>(undefined);

/** Returns a message to the composer, before what is typed there. */
export function restoreDraft(
  threadId: string,
  { text, images }: { text: string; images: readonly string[] },
): void {
  restoredDraft.value = { threadId, text, images };
}

/** Text that was typed and not sent, by thread; it survives a reload and a lost connection. */
export function readDraft(threadId: string | undefined): string {
  try {
    return localStorage.getItem(keyOf(threadId)) ?? "";
  } catch {
    return "";
  }
}

export function writeDraft(threadId: string | undefined, text: string): void {
  try {
    if (text === "") localStorage.removeItem(keyOf(threadId));
    else localStorage.setItem(keyOf(threadId), text);
  } catch {
    // Without storage a draft is lost with the page.
  }
}

/** Gives the draft of the page for new threads to a thread that was started there. */
export function moveDraft(threadId: string): void {
  writeDraft(threadId, readDraft(undefined));
  writeDraft(undefined, "");
}

function keyOf(threadId: string | undefined): string {
  return `quire.draft.${threadId ?? "new"}`;
}
