import { nearest } from "../../lib/nearest.js";
import { type CommandContext, complain } from "../commands/command.js";
import { findSlashCommand, slashCommands } from "../commands/table.js";
import type { Draft } from "../composer/draft.js";

/** Does what a message says: a command of the composer, a command of the shell, or words. */
export async function submitDraft(
  context: CommandContext,
  draft: Draft,
  isQueued: boolean,
): Promise<void> {
  const { session, host } = context;
  const { text } = draft;
  if (session.conversation.status.threadId !== undefined) {
    // What was typed is worth keeping, but no reason to stop.
    host.addHistory(text, session.threadId).catch(() => undefined);
  }
  try {
    const command = /^\/([\w:-]+)(?:\s+([\s\S]*))?$/.exec(text.trim());
    if (command !== null) await runSlash(context, draft, command[1] ?? "", command[2] ?? "");
    else if (text.startsWith("!")) await runShell(context, text.slice(1).trim());
    else if (isQueued && session.isWorking) session.enqueue(draft);
    else await session.send(draft);
  } catch (error) {
    complain(context, "Failed", error);
  }
}

async function runSlash(context: CommandContext, draft: Draft, name: string, operands: string) {
  const { session } = context;
  if (name.startsWith("prompts:")) return runPrompt(context, draft);
  const command = findSlashCommand(name);
  if (command === undefined) {
    // A path such as /etc/hosts begins like a command, and is none.
    const near = nearest(
      name,
      slashCommands.map((each) => each.name),
    );
    complain(
      context,
      `Unknown command /${name}${near === undefined ? "" : `. Did you mean /${near}?`}`,
    );
    context.composer.setText(draft.text);
    return;
  }
  if (session.isWorking && !command.isAlwaysReady) {
    complain(
      context,
      `/${command.name} is not available while a turn is running. Press esc to interrupt it`,
    );
    return;
  }
  await command.run(context, operands.trim());
}

/** A saved prompt is a message like any other once its arguments are filled in. */
async function runPrompt(context: CommandContext, draft: Draft): Promise<void> {
  const filled = await context.host.fillPrompt(draft.text.trim());
  if (filled === undefined) complain(context, "Unknown prompt. /prompts lists your saved prompts");
  else if ("problem" in filled) complain(context, filled.problem);
  else {
    await context.session.send({ ...draft, text: filled.text });
    return;
  }
  context.composer.setText(draft.text);
}

async function runShell(context: CommandContext, command: string): Promise<void> {
  if (command === "") complain(context, "Type a command after the !, for example !git status");
  else await context.session.shell(command);
}
