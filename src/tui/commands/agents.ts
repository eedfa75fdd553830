import { renderCell } from "../cells/render-cell.js";
import type { AgentState, HelperAgent } from "../state/agents.js";
import { Transcript } from "../state/transcript.js";
import { durationText } from "../text/numbers.js";
import { sanitize } from "../text/sanitize.js";
import type { View } from "../view.js";
import type { WireThread } from "../wire.js";
import { type CommandContext, printNotice, type SlashCommand } from "./command.js";

/** `/agents` */
export const agents: SlashCommand = {
  name: "agents",
  aliases: ["subagents"],
  summary: "Look into a helper agent of this session",
  isAlwaysReady: true,
  async run(context) {
    const { status } = context.session.conversation;
    const { all } = status.agents;
    if (all.length === 0) return printNotice(context, "This session has no helper agents");
    const chosen = await context.ui.pick({
      title: "Helper agents",
      text: "Their approvals are asked here, with the path of the agent in the title.",
      choices: all.map((agent) => ({
        value: agent,
        label: sanitize(agent.path),
        description: describe(agent),
      })),
    });
    if (chosen !== undefined) await show(context, chosen);
  },
};

function describe({ state, startedAt }: HelperAgent): string {
  if (state !== "working" && state !== "waiting") return state;
  return `${stateTexts[state]} (${durationText(Math.max(0, Date.now() - startedAt))})`;
}

const stateTexts = {
  working: "working",
  waiting: "waiting for you",
} satisfies Partial<Record<AgentState, string>>;

/** Shows what an agent has done so far. */
async function show({ ui, server }: CommandContext, agent: HelperAgent): Promise<void> {
  const { threadId } = agent;
  const { thread } = await server.request("thread/read", { threadId, includeTurns: true });
  const transcript = new Transcript();
  for (const turn of (thread as WireThread).turns ?? []) transcript.addTurn(turn);
  const cells = transcript.finished;
  await ui.pages(
    `${sanitize(agent.path)} · ${agent.state}`,
    cells.map((cell) => (view: View) => renderCell(cell, view)),
    "end",
  );
}
