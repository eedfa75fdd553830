import { textDraft } from "../composer/draft.js";
import type { Ui } from "../ui.js";
import type { Session } from "./session.js";

/** Dependencies of the dialogs that answer server requests. */
export interface QuestionParts {
  ui: Ui;
  session: Session;
  /** Notifies the user that a dialog is waiting. */
  attention(text: string): void;
  now(): number;
}

/**
 * Asks for instructions and steers the running turn with them, so that the model receives them
 * along with the denial. Resolves with false if the user entered none.
 */
export async function instruct(
  { ui, session }: QuestionParts,
  signal: AbortSignal,
): Promise<boolean> {
  const text = await ui.question({ title: "What should the agent do instead?" }, signal);
  if (text === undefined || text.trim() === "") return false;
  await session.send(textDraft(text));
  return true;
}
