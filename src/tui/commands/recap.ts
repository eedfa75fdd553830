import { printNotice, type SlashCommand } from "./command.js";

/** `/recap` */
export const recap: SlashCommand = {
  name: "recap",
  summary: "Summarize this session now, without changing it",
  async run(context) {
    const { server, session, ui } = context;
    const { status, transcript } = session.conversation;
    if (!status.hasTurns)
      return printNotice(context, "The session is empty", "There is nothing to summarize");
    const { threadId } = session;
    const params = { threadId, limit: 1, itemsView: "notLoaded" as const };
    const { data } = await server.request("thread/turns/list", params);
    const [last] = data;
    if (last === undefined) return printNotice(context, "The session has no turns");
    printNotice(context, "Summarizing…");
    const { text } = await server.request("thread/sample", {
      threadId,
      expectedTurnId: last.id,
      prompt,
    });
    // The user may have switched to another session meanwhile.
    if (session.conversation.status.threadId !== threadId) return;
    const summary = text?.trim() || "The model returned no summary.";
    transcript.notice({ level: "info", text: `Recap\n${summary}` });
    ui.screen.requestRender();
  },
};

const prompt =
  "Summarize this conversation for me in at most ten short lines: what I asked for, what was done and which files changed, what is open, and the next step. Do not call tools.";
