import { textDraft } from "../composer/draft.js";
import { printNotice, type SlashCommand } from "./command.js";

/** `/side` */
export const side: SlashCommand = {
  name: "side",
  aliases: ["btw"],
  summary: "Ask beside this session, without a trace in it; again to return",
  operands: "[QUESTION]",
  async run(context, operands) {
    const { session } = context;
    if (session.isSide) {
      if (operands !== "") return session.send(textDraft(operands));
      await session.leaveSide();
      return printNotice(context, "Back in the session", "The side chat is gone");
    }
    if (!session.conversation.status.hasTurns) {
      return printNotice(
        context,
        "The session is empty",
        "Just ask: a side chat needs a session beside it",
      );
    }
    await session.enterSide();
    printNotice(
      context,
      "Side chat",
      "It knows the session, but leaves no trace in it. /side returns",
    );
    if (operands !== "") await session.send(textDraft(operands));
  },
};
