import type { ServerQuestion } from "../../client/index.js";
import type {
  CommandExecutionRequestApprovalParams,
  CommandExecutionRequestApprovalResponse,
} from "../../protocol/rpc/v2/requests.js";
import { shortHome } from "../lines/footer.js";
import type { ApprovalAnswer } from "../overlays/approval.js";
import { hang } from "../text/layout.js";
import { reveal } from "../text/sanitize.js";
import { unwrapShell } from "../text/unwrap-shell.js";
import type { View } from "../view.js";
import { instruct } from "./instruct.js";
import type { QuestionParts } from "./questions.js";

const titles = {
  command: "May this command run?",
  writeStdin: "May this be typed into the command that runs?",
};

/** Asks for a command; resolves with the answer as the server takes it. */
export async function askCommand(
  question: CommandExecutionRequestApprovalParams,
  { signal }: ServerQuestion,
  parts: QuestionParts,
): Promise<CommandExecutionRequestApprovalResponse> {
  const answers = possibleAnswers(question);
  for (;;) {
    const answer = await parts.ui.approval(
      {
        title: titles[question.kind] ?? titles.command,
        reason: question.reason ?? undefined,
        body: (view) => bodyLines(question, view),
        answers,
      },
      signal,
    );
    if (answer === undefined) return { decision: "cancel" };
    if (answer !== "instruct") return { decision: decisionOf(answer, question) };
    if (await instruct(parts, signal)) return { decision: "decline" };
  }
}

type Decision = CommandExecutionRequestApprovalResponse["decision"];

function possibleAnswers(
  question: CommandExecutionRequestApprovalParams,
): { answer: ApprovalAnswer; label?: string }[] {
  const prefix = question.proposedExecpolicyAmendment ?? [];
  const label = `Yes, and never ask again for \`${prefix.join(" ")}\``;
  return [
    { answer: "once" },
    { answer: "session" },
    ...(prefix.length > 0 ? [{ answer: "prefix" as const, label }] : []),
    { answer: "decline" },
    { answer: "instruct" },
    { answer: "cancel" },
  ];
}

function decisionOf(
  answer: ApprovalAnswer,
  { proposedExecpolicyAmendment }: CommandExecutionRequestApprovalParams,
): Decision {
  switch (answer) {
    case "once":
      return "accept";
    case "session":
      return "acceptForSession";
    case "prefix":
      return {
        acceptWithExecpolicyAmendment: {
          execpolicy_amendment: proposedExecpolicyAmendment ?? [],
        },
      };
    case "cancel":
      return "cancel";
    default:
      return "decline";
  }
}

/** The command to its last character: nothing of it may be out of sight when it is allowed. */
function bodyLines({ command, cwd }: CommandExecutionRequestApprovalParams, view: View): string[] {
  const { theme, width, highlight } = view;
  const text = reveal(unwrapShell(command ?? ""));
  const lines = highlight?.(text, "bash") ?? text.split("\n");
  const where = cwd ? hang(theme.dim(`in ${reveal(shortHome(cwd))}`), width, "    ") : [];
  return [
    ...lines.flatMap((line, index) =>
      hang(line, width, index === 0 ? theme.accent("  $ ") : "    "),
    ),
    ...where,
  ];
}
