import type { ServerQuestion } from "../../client/index.js";
import { unwrapShell } from "../../lib/unwrap-shell.js";
import type {
  CommandExecutionRequestApprovalParams,
  CommandExecutionRequestApprovalResponse,
} from "../../protocol/rpc/v2/requests.js";
import { shortHome } from "../lines/footer.js";
import type { ApprovalAnswer } from "../overlays/approval.js";
import { hang } from "../text/layout.js";
import { reveal } from "../text/sanitize.js";
import type { View } from "../view.js";
import { instruct, type QuestionParts } from "./question-parts.js";

const titles = {
  command: "Allow this command to run?",
  writeStdin: "Allow this input to the running command?",
};

/** Asks for approval of a command. */
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
        body: (view) => commandLines(question, view),
        note: (view) => folderLines(question, view),
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
  const prefix = offeredPrefix(question);
  const same = "Yes, and don't ask again for this command this session";
  return [
    { answer: "once" },
    { answer: "session", label: same },
    ...(prefix === undefined ? [] : [{ answer: "prefix" as const, label: prefixLabel(prefix) }]),
    { answer: "decline" },
    { answer: "instruct" },
    { answer: "cancel" },
  ];
}

/**
 * Returns the prefix that the server offers to allow permanently; the server decides which are
 * safe.
 */
function offeredPrefix({
  proposedExecpolicyAmendment: prefix,
  availableDecisions,
}: CommandExecutionRequestApprovalParams): readonly string[] | undefined {
  const isOffered = availableDecisions?.some(
    (decision) =>
      typeof decision === "object" &&
      decision !== null &&
      "acceptWithExecpolicyAmendment" in decision,
  );
  // Older servers send no list of decisions.
  return prefix && prefix.length > 0 && (isOffered ?? true) ? prefix : undefined;
}

function prefixLabel(prefix: readonly string[]): string {
  return `Yes, and don't ask again for commands that start with \`${prefix.join(" ")}\``;
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

/** Renders the whole command: no part of it may stay hidden when it is approved. */
function commandLines({ command }: CommandExecutionRequestApprovalParams, view: View): string[] {
  const { theme, width, highlight } = view;
  const text = reveal(unwrapShell(command ?? ""));
  const lines = highlight?.(text, "bash") ?? text.split("\n");
  return lines.flatMap((line, index) =>
    hang(line, width, index === 0 ? theme.accent("  $ ") : "    "),
  );
}

function folderLines(
  { cwd }: CommandExecutionRequestApprovalParams,
  { theme, width }: View,
): string[] {
  return cwd ? hang(theme.dim(`in ${reveal(shortHome(cwd))}`), width, "    ") : [];
}
