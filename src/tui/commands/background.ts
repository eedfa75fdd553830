import type { ThreadBackgroundTerminal } from "../../protocol/rpc/v2/background-terminals.js";
import { shortHome } from "../lines/footer.js";
import { durationText } from "../text/numbers.js";
import { sanitize } from "../text/sanitize.js";
import { type CommandContext, printNotice, type SlashCommand } from "./command.js";

/** `/ps` */
export const ps: SlashCommand = {
  name: "ps",
  summary: "List commands of the agent that are still running",
  isAlwaysReady: true,
  async run(context) {
    const running = await readRunning(context);
    if (running.length === 0) return printNotice(context, "No commands are running");
    const lines = running.map((command): [string, string] => [
      command.processId,
      `${sanitize(command.command)} (${ageOf(command)}, ${shortHome(command.cwd)})`,
    ]);
    const hint: [string, string] = ["", "End one with /stop ID, or all with /stop"];
    context.session.conversation.transcript.add({
      kind: "banner",
      lines: [["", "Running commands"], ...lines, hint],
    });
    context.ui.screen.requestRender();
  },
};

/** `/stop` */
export const stop: SlashCommand = {
  name: "stop",
  summary: "End running commands of the agent, one by its id or all",
  operands: "[ID]",
  isAlwaysReady: true,
  async run(context, operands) {
    const processId = operands.trim();
    const { server, session } = context;
    const { threadId } = session;
    if (processId === "") {
      const running = await readRunning(context);
      if (running.length === 0) return printNotice(context, "No commands are running");
      await server.request("thread/backgroundTerminals/clean", { threadId });
      const what = running.length === 1 ? "the running command" : `${running.length} commands`;
      return printNotice(context, `Ended ${what}`);
    }
    const isId = /^-?\d{1,9}$/.test(processId);
    const { terminated } = isId
      ? await server.request("thread/backgroundTerminals/terminate", { threadId, processId })
      : { terminated: false };
    if (terminated) printNotice(context, `Ended command ${processId}`);
    else printNotice(context, `No running command has the id ${processId}`, "List them with /ps");
  },
};

async function readRunning(context: CommandContext): Promise<readonly ThreadBackgroundTerminal[]> {
  const { threadId } = context.session;
  const { data } = await context.server.request("thread/backgroundTerminals/list", { threadId });
  return data;
}

/** Returns the time since the start; servers of older versions do not say when that was. */
function ageOf({ startedAtMs }: Partial<ThreadBackgroundTerminal>): string {
  if (startedAtMs === undefined) return "running";
  return durationText(Math.max(0, Date.now() - startedAtMs));
}
