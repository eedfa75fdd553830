import type { ServerQuestion } from "../../client/index.js";
import type {
  FileChangeRequestApprovalParams,
  FileChangeRequestApprovalResponse,
} from "../../protocol/rpc/v2/requests.js";
import { patchLines } from "../cells/patch.js";
import type { ApprovalAnswer } from "../overlays/approval.js";
import { instruct, type QuestionParts } from "./question-parts.js";

const decisions: Readonly<Record<ApprovalAnswer, FileChangeRequestApprovalResponse["decision"]>> = {
  once: "accept",
  session: "acceptForSession",
  prefix: "accept",
  decline: "decline",
  instruct: "decline",
  cancel: "cancel",
};

/** Asks for approval of file changes, with the whole diff. */
export async function askFileChange(
  { itemId, reason, grantRoot }: FileChangeRequestApprovalParams,
  { signal }: ServerQuestion,
  parts: QuestionParts,
): Promise<FileChangeRequestApprovalResponse> {
  const { transcript } = parts.session.conversation;
  const isWide = grantRoot
    ? `Also requests write access to ${grantRoot} for the rest of the session`
    : null;
  for (;;) {
    const answer = await parts.ui.approval(
      {
        title: "Apply these changes?",
        reason: [reason, isWide].filter(Boolean).join("\n") || undefined,
        body: (view) => {
          const changes = transcript.changesOf(itemId);
          return patchLines({ kind: "patch", changes, status: "inProgress" }, view);
        },
        answers: [
          { answer: "once" },
          { answer: "session", label: "Yes, and don't ask again for these files this session" },
          { answer: "decline" },
          { answer: "instruct" },
          { answer: "cancel" },
        ],
      },
      signal,
    );
    if (answer === undefined) return { decision: "cancel" };
    if (answer !== "instruct" || (await instruct(parts, signal))) {
      return { decision: decisions[answer] };
    }
  }
}
