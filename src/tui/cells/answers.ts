import type { AnswersCell } from "../state/cell.js";
import { hang } from "../text/layout.js";
import { counted } from "../text/numbers.js";
import { sanitize } from "../text/sanitize.js";
import type { View } from "../view.js";
import type { AnsweredQuestion } from "../wire.js";

/** Prefix of a note among the answers to a question. */
export const notePrefix = "user_note: ";

/** Renders the heading of a proposed plan. */
export function proposalLines({ theme }: View): string[] {
  return [`${theme.accent("• ")}${theme.bold("Proposed plan")}`];
}

/** Renders questions of the agent, each with its answer and note. */
export function answersLines({ questions }: AnswersCell, view: View): string[] {
  const { theme } = view;
  const title = theme.bold(`Answered ${counted(questions.length, "question")}`);
  return [`${theme.dim("• ")}${title}`, ...questions.flatMap((one) => questionLines(one, view))];
}

function questionLines({ question, answers }: AnsweredQuestion, { theme, width }: View): string[] {
  const isNote = (answer: string) => answer.startsWith(notePrefix);
  const chosen = answers.filter((answer) => !isNote(answer)).join(", ");
  const notes = answers.filter(isNote).map((answer) => answer.slice(notePrefix.length));
  return [
    ...hang(theme.dim(sanitize(question)), width, "  "),
    ...hang(chosen === "" ? theme.dim("skipped") : sanitize(chosen), width, theme.accent("  › ")),
    ...notes.flatMap((note) => hang(theme.dim(sanitize(note)), width, theme.dim("    note: "))),
  ];
}
