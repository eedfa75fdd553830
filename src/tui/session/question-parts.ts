import { textDraft } from "../composer/draft.js";
import type { Ui } from "../ui.js";
import type { Session } from "./session.js";

/** Dependencies of the dialogs that answer server requests. */
export interface QuestionParts {
  ui: Pick<Ui, "approval" | "pick" | "question" | "questionnaire">;
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

/** Returns parts whose approvals name the helper agent that asks; those of the root as they are. */
export function partsFor(threadId: string, parts: QuestionParts): QuestionParts {
  const path = parts.session.conversation.status.agents.pathOf(threadId);
  if (path === undefined) return parts;
  const { ui } = parts;
  return {
    ...parts,
    ui: {
      approval: (options, signal) =>
        ui.approval({ ...options, title: `${path}: ${options.title}` }, signal),
      pick: (options, signal) => ui.pick(options, signal),
      question: (options, signal) => ui.question(options, signal),
      questionnaire: (questions, signal) => {
        const named = questions.map((one) => ({ ...one, header: `${path}: ${one.header}` }));
        return ui.questionnaire(named, signal);
      },
    },
  };
}
