import { inputText } from "../cells/user.js";
import type { CommandContext } from "../commands/command.js";
import { complain } from "../commands/notices.js";
import type { WireThread, WireTurn } from "../wire.js";

/**
 * Lets the user go back to an earlier message and say it otherwise.
 *
 * The conversation up to that message is copied; the one that was stays as it is.
 */
export async function goBack(context: CommandContext): Promise<void> {
  const { ui, session, composer } = context;
  const { threadId } = session;
  const { thread } = await session.ask("thread/read", {
    includeTurns: true,
  });
  const turns = ((thread as WireThread).turns ?? []).filter((turn) => messageOf(turn) !== "");
  if (turns.length === 0) {
    complain(context, "There is no earlier message to edit");
    return;
  }
  const index = await ui.pick({
    title: "Which message do you want to edit?",
    text: "The session continues from there in a fork. Files are not changed back.",
    choices: turns.map((turn, at) => ({ value: at, label: messageOf(turn).slice(0, 200) })),
    selected: turns.length - 1,
  });
  const chosen = index === undefined ? undefined : turns[index];
  if (chosen === undefined || index === undefined) return;
  const before = turns[index - 1];
  if (before === undefined) await session.start();
  else await session.fork(threadId, before.id);
  composer.setText(messageOf(chosen));
}

function messageOf({ items = [] }: WireTurn): string {
  const message = items.find((item) => item.type === "userMessage");
  return message?.type === "userMessage" ? inputText(message.content).trim() : "";
}
