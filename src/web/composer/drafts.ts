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

function keyOf(threadId: string | undefined): string {
  return `quire.draft.${threadId ?? "new"}`;
}
