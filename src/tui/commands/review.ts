import type { ReviewTarget } from "../../protocol/review.js";
import type { SlashCommand } from "./command.js";

/** Lets the model review changes. */
export const review: SlashCommand = {
  name: "review",
  summary: "Review changes",
  operands: "[INSTRUCTIONS]",
  async run({ ui, session }, operands) {
    if (operands !== "") {
      await session.ask("review/start", reviewOf({ type: "custom", instructions: operands }));
      return;
    }
    const kind = await ui.pick({
      title: "What do you want to review?",
      choices: [
        { value: "uncommittedChanges", label: "Uncommitted changes" },
        { value: "baseBranch", label: "This branch against a base branch" },
        { value: "commit", label: "A commit" },
        { value: "custom", label: "Custom instructions", description: "describe what to review" },
      ],
    });
    if (kind === undefined) return;
    const target = await targetOf(kind, (title) => ui.question({ title }));
    if (target !== undefined) await session.ask("review/start", reviewOf(target));
  },
};

function reviewOf(target: ReviewTarget) {
  return { target, delivery: "inline" } as const;
}

type Ask = (title: string) => Promise<string | undefined>;

async function targetOf(kind: string, ask: Ask): Promise<ReviewTarget | undefined> {
  if (kind === "uncommittedChanges") return { type: kind };
  const titles: Readonly<Record<string, string>> = {
    baseBranch: "Which base branch?",
    commit: "Which commit?",
    custom: "What should the review look at?",
  };
  const answer = (await ask(titles[kind] ?? ""))?.trim();
  if (!answer) return undefined;
  if (kind === "baseBranch") return { type: kind, branch: answer };
  if (kind === "commit") return { type: kind, sha: answer };
  return { type: "custom", instructions: answer };
}
