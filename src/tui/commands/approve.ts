import { describeReviewedAction } from "../../protocol/auto-review-text.js";
import type { DeniedAction } from "../state/status.js";
import { printNotice, type SlashCommand } from "./command.js";

/** `/approve` */
export const approve: SlashCommand = {
  name: "approve",
  summary: "Approve an action that the automatic reviewer denied",
  isAlwaysReady: true,
  async run(context) {
    const { server, session, ui } = context;
    const { denials } = session.conversation.status;
    if (denials.size === 0) {
      printNotice(context, "The automatic reviewer has denied nothing");
      return;
    }
    const chosen = await ui.pick<DeniedAction>({
      title: "Which action may the agent do once?",
      choices: [...denials.values()].reverse().map((denied) => ({
        value: denied,
        label: describeReviewedAction(denied.action),
        description: denied.review.rationale ?? "",
      })),
      selected: 0,
    });
    if (chosen === undefined) return;
    const { threadId, reviewId } = chosen;
    denials.delete(reviewId);
    const event = { id: reviewId, status: "denied" };
    await server.request("thread/approveGuardianDeniedAction", { threadId, event });
    const hint = "Ask the agent to try it again";
    printNotice(context, `Approved once: ${describeReviewedAction(chosen.action)}`, hint);
  },
};
