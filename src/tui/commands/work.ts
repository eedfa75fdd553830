import type { ReviewTarget } from "../../protocol/sqeq/events/review.js";
import { textDraft } from "../composer/draft.js";
import { printNotice, type SlashCommand } from "./command.js";

/** `/init` */
export const init: SlashCommand = {
  name: "init",
  summary: "Create an AGENTS.md with instructions for this project",
  async run({ session }) {
    await session.send(textDraft(initPrompt));
  },
};

const initPrompt = [
  "Write an AGENTS.md file at the root of this project with what a new contributor needs to know.",
  "Explore the project first. Describe how to build, test and lint it, with the commands; how the code",
  "is organized; conventions that are not obvious; and what must not be changed. Keep it under a page",
  "and leave out the obvious. If the file already exists, improve it instead of rewriting it.",
].join(" ");

/** `/compact` */
export const compact: SlashCommand = {
  name: "compact",
  summary: "Summarize the session to free up context",
  async run({ session }) {
    await session.ask("thread/compact/start", {});
  },
};

/** `/plan` */
export const plan: SlashCommand = {
  name: "plan",
  summary: "Switch plan mode on or off",
  operands: "[TASK]",
  async run(context, operands) {
    const { session } = context;
    const { settings } = session.conversation.status;
    const mode = settings?.mode === "plan" && operands === "" ? "default" : "plan";
    session.override({
      collaborationMode: {
        mode,
        settings: {
          model: settings?.model ?? "",
          reasoning_effort: settings?.effort ?? null,
          developer_instructions: null,
        },
      },
    });
    printNotice(context, mode === "plan" ? "Plan mode is on" : "Plan mode is off");
    if (operands !== "") await session.send(textDraft(operands));
  },
};

/** `/mention` */
export const mention: SlashCommand = {
  name: "mention",
  summary: "Mention a file",
  isAlwaysReady: true,
  run({ composer }) {
    composer.insert("@");
  },
};

/** `/review` */
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
    custom: "Review instructions",
  };
  const answer = (await ask(titles[kind] ?? ""))?.trim();
  if (!answer) return undefined;
  if (kind === "baseBranch") return { type: kind, branch: answer };
  if (kind === "commit") return { type: kind, sha: answer };
  return { type: "custom", instructions: answer };
}
