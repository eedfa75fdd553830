import type { ReviewTarget } from "../../protocol/review.js";
import { textDraft } from "../composer/draft.js";
import { type SlashCommand, say } from "./command.js";

/** Writes the instructions of a project. */
export const init: SlashCommand = {
  name: "init",
  summary: "Create an AGENTS.md with instructions for this project",
  async run({ session }) {
    await session.send(textDraft(initPrompt));
  },
};

const initPrompt = [
  "Write a file AGENTS.md in the root of this project: what somebody who works here for the first time",
  "needs to know. Look at the project before you write. Say how it is built, tested and checked, with",
  "the commands; how the code is laid out; which habits it keeps that are not obvious; and what must",
  "not be touched. Keep it under a page, and leave out what anybody would guess. If there is such a",
  "file already, correct it instead of writing another one.",
].join(" ");

/** Shortens the conversation. */
export const compact: SlashCommand = {
  name: "compact",
  summary: "Summarize the session to free up context",
  async run({ session }) {
    await session.ask("thread/compact/start", {});
  },
};

/** Plans first, or works at once. */
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
    say(context, mode === "plan" ? "Plan mode is on" : "Plan mode is off");
    if (operands !== "") await session.send(textDraft(operands));
  },
};

/** Names a file in the message. */
export const mention: SlashCommand = {
  name: "mention",
  summary: "Mention a file",
  isAlwaysReady: true,
  run({ composer }) {
    composer.insert("@");
  },
};

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
