import { initPrompt } from "../../protocol/init-prompt.js";
import { textDraft } from "../composer/draft.js";
import type { SlashCommand } from "./command.js";

/** `/init` */
export const init: SlashCommand = {
  name: "init",
  summary: "Create an AGENTS.md with instructions for this project",
  async run({ session }) {
    await session.send(textDraft(initPrompt));
  },
};

/** `/compact` */
export const compact: SlashCommand = {
  name: "compact",
  summary: "Summarize the session to free up context",
  async run({ session }) {
    await session.ask("thread/compact/start", {});
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
