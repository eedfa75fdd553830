import type { ThreadGoal } from "../../protocol/rpc/v2/goal.js";
import { durationText, groupedNumber } from "../text/numbers.js";
import { type CommandContext, printNotice, type SlashCommand } from "./command.js";

/** `/goal` */
export const goal: SlashCommand = {
  name: "goal",
  summary: "Set, show, edit, pause, resume or clear the goal of this session",
  operands: "[OBJECTIVE|edit|pause|resume|clear]",
  isAlwaysReady: true,
  async run(context, operands) {
    const { session } = context;
    const { goal: current } = await session.ask("thread/goal/get", {});
    if (operands === "") return showGoal(context, current);
    if (operands === "clear") return clearGoal(context);
    if (operands === "pause" || operands === "resume") {
      if (current === null) return printNotice(context, "There is no goal", setHint);
      const status = operands === "pause" ? "paused" : "active";
      const answer = await session.ask("thread/goal/set", { status });
      return showGoal(context, answer.goal);
    }
    if (operands === "edit") return editGoal(context, current);
    if (
      current !== null &&
      current.status !== "complete" &&
      !(await mayReplace(context, current))
    ) {
      return;
    }
    const set = { objective: operands, status: "active" as const, origin: "user" as const };
    showGoal(context, (await session.ask("thread/goal/set", set)).goal);
  },
};

const setHint = "Set one with /goal OBJECTIVE";

async function clearGoal(context: CommandContext): Promise<void> {
  const { cleared } = await context.session.ask("thread/goal/clear", {});
  printNotice(context, cleared ? "The goal is cleared" : "There is no goal");
}

/** Changes the objective; its status and what it has used stay. */
async function editGoal(context: CommandContext, current: ThreadGoal | null): Promise<void> {
  if (current === null) return printNotice(context, "There is no goal", setHint);
  const initial = current.objective;
  const check = (text: string) => (text.trim() === "" ? "The objective is empty" : undefined);
  const typed = await context.ui.question({ title: "Objective", initial, check });
  if (typed === undefined || typed.trim() === initial) return;
  const answer = await context.session.ask("thread/goal/set", { objective: typed.trim() });
  showGoal(context, answer.goal);
}

async function mayReplace({ ui }: CommandContext, { objective }: ThreadGoal): Promise<boolean> {
  const answer = await ui.pick({
    title: "Replace the current goal?",
    text: objective,
    choices: [
      { value: false, label: "No, keep it" },
      { value: true, label: "Yes, replace it" },
    ],
  });
  return answer === true;
}

function showGoal(context: CommandContext, current: ThreadGoal | null): void {
  if (current === null) {
    printNotice(context, "There is no goal", setHint);
    return;
  }
  const { objective, status, tokensUsed, tokenBudget, timeUsedSeconds } = current;
  const budget = tokenBudget === null ? "" : ` of ${groupedNumber(tokenBudget)}`;
  context.session.conversation.transcript.add({
    kind: "banner",
    lines: [
      ["", "Goal"],
      ["objective", objective],
      ["status", status],
      [
        "used",
        `${groupedNumber(tokensUsed)}${budget} tokens, ${durationText(timeUsedSeconds * 1000)}`,
      ],
      ["change", "/goal edit, /goal pause, /goal resume, /goal clear"],
    ],
  });
  context.ui.screen.requestRender();
}
