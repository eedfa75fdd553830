import { printError, printNotice, type SlashCommand } from "./command.js";

/** `/cost` */
export const cost: SlashCommand = {
  name: "cost",
  summary: "Show tokens and cost of this session",
  isAlwaysReady: true,
  async run(context) {
    const { threadId } = context.session.conversation.status;
    if (threadId === undefined) return printNotice(context, "No tokens used yet");
    try {
      const { rows, total } = await context.server.request("usage/read", { by: "model", threadId });
      const lines = [...rows, ...(rows.length > 1 ? [total] : [])].map(
        ({ key, inputTokens, cachedInputTokens, outputTokens, cost }) =>
          `${key}: ${inputTokens} tokens in (${cachedInputTokens} cached), ${outputTokens} out, ${priceText(cost)}`,
      );
      printNotice(context, lines.length === 0 ? "No tokens used yet" : lines.join("\n"));
    } catch (error) {
      printError(context, "Cannot read the usage", error);
    }
  },
};

function priceText(cost: number | null): string {
  return cost === null ? "price not known" : `$${cost.toFixed(4)}`;
}
