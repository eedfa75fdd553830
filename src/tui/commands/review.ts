import type { ReviewTarget } from "../../protocol/review.js";
import type { SlashCommand } from "./command.js";

/** Lets the model review changes. */
export const review: SlashCommand = {
  name: "review",
  summary: "Have changes reviewed",
  operands: "[WHAT TO LOOK AT]",
  async run({ ui, session }, operands) {
    if (operands !== "") {
      await session.ask("review/start", reviewOf({ type: "custom", instructions: operands }));
      return;
    }
    const kind = await ui.pick({
      title: "What should be reviewed?",
      choices: [
        { value: "uncommittedChanges", label: "What is not committed yet" },
        { value: "baseBranch", label: "This branch against another" },
        { value: "commit", label: "One commit" },
        { value: "custom", label: "Something else", description: "say it in your own words" },
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
    baseBranch: "Against which branch?",
    commit: "Which commit?",
    custom: "What should be looked at?",
  };
  const answer = (await ask(titles[kind] ?? ""))?.trim();
  if (!answer) return undefined;
  if (kind === "baseBranch") return { type: kind, branch: answer };
  if (kind === "commit") return { type: kind, sha: answer };
  return { type: "custom", instructions: answer };
}
