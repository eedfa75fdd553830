import { textDraft } from "../composer/draft.js";
import type { Ui } from "../ui.js";
import type { Session } from "./session.js";

/** What is needed to ask the user. */
export interface QuestionParts {
  ui: Ui;
  session: Session;
  /** Called when a question needs the user. */
  attention(text: string): void;
  now(): number;
}

/**
 * Asks what to do instead, and gives it to the running turn, so that the model has it together
 * with the refusal. Says whether there was an answer.
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
