import { defineCommand } from "../command.js";
import type { ThreadChoice } from "../exec/connect.js";
import { execOptions } from "../exec/exec-options.js";
import { UsageError } from "../exit-codes.js";

/** One task without a user: for scripts and CI. */
export const exec = defineCommand({
  name: "exec",
  summary: "Work on one task without asking, for scripts and CI",
  operands: "[PROMPT|-]",
  mostOperands: 1,
  options: execOptions,
  verbs: [
    {
      name: "resume",
      summary: "Go on with an earlier conversation",
      load: async () => execResume,
    },
    {
      name: "review",
      summary: "Review changes of the repository",
      load: async () => (await import("./exec-review.js")).execReview,
    },
  ],
  details: [
    "The prompt is the argument, or standard input; with both, the input follows the prompt. The",
    "answer goes to standard output, everything else to standard error. Exit codes: 0 done, 1 the",
    "turn failed, 2 usage, 3 settings or sign-in, 4 an approval was needed, 5 a limit was reached,",
    "6 the model is not available, 130 interrupted.",
  ].join("\n"),
  async run({ values, positionals }, io) {
    const [{ toExecRequest }, { runExec, startTurn }, { readPromptWithInput }] = await Promise.all([
      import("../exec/exec-request.js"),
      import("../exec/run.js"),
      import("../exec/read-prompt.js"),
    ]);
    const request = await toExecRequest(values, io);
    const prompt = readPromptWithInput(positionals[0], io);
    return runExec({ thread: { kind: "new" }, prompt, start: startTurn(request) }, request, io);
  },
});

/** One more task in a conversation that was recorded. */
const execResume = defineCommand({
  name: "exec resume",
  summary: "Go on with an earlier conversation, without asking",
  operands: "[ID|NAME] [PROMPT|-]",
  mostOperands: 2,
  options: {
    last: { type: "boolean", help: "Go on with the newest conversation of this folder" },
    all: { type: "boolean", help: "With --last: of any folder" },
    ...execOptions,
  },
  async run({ values, positionals }, io) {
    const [{ toExecRequest }, { runExec, startTurn }, { readPrompt }] = await Promise.all([
      import("../exec/exec-request.js"),
      import("../exec/run.js"),
      import("../exec/read-prompt.js"),
    ]);
    const thread = choose(positionals, values);
    const request = await toExecRequest(values, io);
    const typed = values.last ? positionals[0] : positionals[1];
    return runExec(
      { thread, prompt: readPrompt(typed, io), start: startTurn(request) },
      request,
      io,
    );
  },
});

/** With `--last` there is no id, so that the one operand is the prompt. */
function choose(
  [id, more]: string[],
  { last, all }: { last: boolean; all: boolean },
): ThreadChoice {
  if (last && more !== undefined) {
    throw new UsageError("With --last there is no ID in front of the prompt");
  }
  if (last) return { kind: "last", anywhere: all };
  if (id !== undefined) return { kind: "resume", id };
  throw new UsageError("Which conversation? `quire exec resume ID`, or `quire exec resume --last`");
}
