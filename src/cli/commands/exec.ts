import { defineCommand } from "../command.js";
import type { ThreadChoice } from "../exec/connect.js";
import { execOptions, goalOption } from "../exec/exec-options.js";
import { UsageError } from "../exit-codes.js";
import { inWorktree } from "../options/in-worktree.js";
import { worktreeOption } from "../options/session-options.js";

/** Runs one task without a user, for scripts and CI. */
export const exec = defineCommand({
  name: "exec",
  summary: "Run a task non-interactively",
  operands: "[PROMPT|-]",
  mostOperands: 1,
  options: { ...goalOption, ...execOptions, ...worktreeOption },
  verbs: [
    {
      name: "resume",
      summary: "Resume a previous session non-interactively",
      load: async () => execResume,
    },
    {
      name: "review",
      summary: "Run a code review non-interactively",
      load: async () => (await import("./exec-review.js")).execReview,
    },
  ],
  details: [
    "The prompt is the argument or standard input; with both, the input is appended to the prompt.",
    "The final message goes to standard output, progress to standard error. Exit codes: 0 success,",
    "1 turn failed, 2 usage error, 3 config or login error, 4 approval needed, 5 limit reached,",
    "6 model unavailable, 130 interrupted.",
  ].join("\n"),
  async run({ values, positionals }, io) {
    const [{ toExecRequest }, { runExec, startTurn }, { readPromptWithInput }] = await Promise.all([
      import("../exec/exec-request.js"),
      import("../exec/run.js"),
      import("../exec/read-prompt.js"),
    ]);
    const { goal } = values;
    if (goal !== undefined) checkGoal(goal, positionals[0], values);
    return inWorktree(values, io, async (given) => {
      const request = await toExecRequest(given, io);
      const prompt =
        goal === undefined ? readPromptWithInput(positionals[0], io) : Promise.resolve(goal);
      const task = { thread: { kind: "new" as const }, prompt, isGoal: goal !== undefined };
      return runExec({ ...task, start: startTurn(request) }, request, io);
    });
  },
});

/** Runs one more task in a recorded session. */
const execResume = defineCommand({
  name: "exec resume",
  summary: "Resume a previous session non-interactively",
  operands: "[ID|NAME] [PROMPT|-]",
  mostOperands: 2,
  options: {
    last: {
      type: "boolean",
      help: "Resume the most recent session of this directory, or of its worktrees",
    },
    all: { type: "boolean", help: "With --last: include sessions of all directories" },
    ...goalOption,
    ...execOptions,
    ...worktreeOption,
  },
  async run({ values, positionals }, io) {
    const [{ toExecRequest }, { runExec, startTurn }, { readPrompt }] = await Promise.all([
      import("../exec/exec-request.js"),
      import("../exec/run.js"),
      import("../exec/read-prompt.js"),
    ]);
    const thread = choose(positionals, values);
    const typed = values.last ? positionals[0] : positionals[1];
    const { goal } = values;
    if (goal !== undefined) checkGoal(goal, typed, values);
    return inWorktree(values, io, async (given) => {
      const request = await toExecRequest(given, io);
      const prompt = goal === undefined ? readPrompt(typed, io) : Promise.resolve(goal);
      const task = { thread, prompt, isGoal: goal !== undefined };
      return runExec({ ...task, start: startTurn(request) }, request, io);
    });
  },
});

/** Checks what is given with a goal, before anything starts. */
function checkGoal(
  goal: string,
  prompt: string | undefined,
  { ephemeral }: { ephemeral: boolean },
): void {
  if (goal.trim() === "") throw new UsageError("Expected `--goal` to be a text (got an empty one)");
  if (prompt !== undefined) {
    throw new UsageError("`--goal` and a PROMPT cannot be used together: the goal is the task");
  }
  if (ephemeral) {
    throw new UsageError(
      "`--goal` and `--ephemeral` cannot be used together: a goal is stored with its session",
    );
  }
}

/** Selects the thread; with `--last` there is no id, so the only operand is the prompt. */
function choose(
  [id, more]: string[],
  { last, all }: { last: boolean; all: boolean },
): ThreadChoice {
  if (last && more !== undefined) {
    throw new UsageError(
      "`--last` and an ID cannot be used together: `quire exec resume --last PROMPT`",
    );
  }
  if (last) return { kind: "last", anywhere: all };
  if (id !== undefined) return { kind: "resume", id };
  throw new UsageError(
    "No session given: use `quire exec resume ID` or `quire exec resume --last`",
  );
}
