import { nearest } from "../../lib/nearest.js";
import { type CommandContext, printError } from "../commands/command.js";
import { findSlashCommand, slashCommands } from "../commands/table.js";
import type { Draft } from "../composer/draft.js";
import { oneLine } from "../text/sanitize.js";

/** Runs a submitted draft: a slash command, a `!` shell command, or a message to the agent. */
export async function submitDraft(
  context: CommandContext,
  draft: Draft,
  isQueued: boolean,
): Promise<void> {
  const { session, host } = context;
  const { text } = draft;
  if (session.conversation.status.threadId !== undefined) {
    // The history is a convenience: failing to write it must not block the message.
    host.addHistory(text, session.threadId).catch(() => undefined);
  }
  try {
    const command = /^\/([\w:-]+)(?:\s+([\s\S]*))?$/.exec(text.trim());
    if (command !== null) await runSlash(context, draft, command[1] ?? "", command[2] ?? "");
    else if (text.startsWith("!")) await runShell(context, text.slice(1).trim());
    else if (isQueued && session.isWorking) session.enqueue(draft);
    else await session.send(draft);
  } catch (error) {
    printError(context, "Failed", error);
  }
}

async function runSlash(context: CommandContext, draft: Draft, name: string, operands: string) {
  const { session } = context;
  if (name.startsWith("prompts:")) return runPrompt(context, draft);
  const command = findSlashCommand(name);
  if (command === undefined) {
    // A path such as /etc/hosts also starts with a slash.
    const near = nearest(
      name,
      slashCommands.map((each) => each.name),
    );
    printError(
      context,
      `Unknown command /${name}${near === undefined ? "" : `. Did you mean /${near}?`}`,
    );
    context.composer.setText(draft.text);
    return;
  }
  if (session.isWorking && !command.isAlwaysReady) {
    printError(
      context,
      `/${command.name} is not available while a turn is running. Press esc to interrupt it`,
    );
    return;
  }
  if (command.operands === undefined && operands.trim() !== "") {
    const got = JSON.stringify(oneLine(operands.trim()).slice(0, 40));
    printError(context, `/${command.name} takes no arguments (got ${got})`);
    context.composer.setText(draft.text);
    return;
  }
  await command.run(context, operands.trim());
}

/** Sends a saved prompt with its arguments filled in. */
async function runPrompt(context: CommandContext, draft: Draft): Promise<void> {
  const filled = await context.host.fillPrompt(draft.text.trim());
  if (filled === undefined)
    printError(context, "Unknown prompt. /prompts lists your saved prompts");
  else if ("problem" in filled) printError(context, filled.problem);
  else {
    await context.session.send({ ...draft, text: filled.text });
    return;
  }
  context.composer.setText(draft.text);
}

async function runShell(context: CommandContext, command: string): Promise<void> {
  if (command === "") printError(context, "Type a command after the !, for example !git status");
  else await context.session.shell(command);
}
