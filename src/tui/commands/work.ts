import { textDraft } from "../composer/draft.js";
import type { SlashCommand } from "./command.js";
import { say } from "./notices.js";

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
