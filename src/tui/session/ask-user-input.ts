import type { ServerQuestion } from "../../client/index.js";
import type {
  ToolRequestUserInputParams,
  ToolRequestUserInputQuestion,
} from "../../protocol/rpc/v2/requests.js";
import type { UserInputResponse } from "../../protocol/user-input-request.js";
import type { QuestionParts } from "./questions.js";

/** Asks each question in turn; one that is passed over gets no answer. */
export async function askUserInput(
  { questions }: ToolRequestUserInputParams,
  { signal }: ServerQuestion,
  parts: QuestionParts,
): Promise<UserInputResponse> {
  const answers: Record<string, { answers: string[] }> = {};
  for (const question of questions) {
    const answer = await askOne(question, signal, parts);
    if (answer !== undefined) answers[question.id] = { answers: [answer] };
  }
  return { answers };
}

async function askOne(
  { header, question, options, isOther, isSecret }: ToolRequestUserInputQuestion,
  signal: AbortSignal,
  { ui }: QuestionParts,
): Promise<string | undefined> {
  const title = header || "Question from the agent";
  if (options && options.length > 0) {
    const choices = options.map(({ label, description }) => ({ value: label, label, description }));
    const other = isOther === false ? [] : [{ value: "", label: "Other answer" }];
    const chosen = await ui.pick(
      { title, text: question, choices: [...choices, ...other] },
      signal,
    );
    if (chosen !== "") return chosen;
  }
  return ui.question({ title, text: question, ...(isSecret ? { isSecret } : {}) }, signal);
}
