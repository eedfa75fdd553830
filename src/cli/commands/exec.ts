import { defineCommand } from "../command.js";
import { execOptions } from "../exec/exec-options.js";

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
      load: async () => (await import("./exec-resume.js")).execResume,
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
    const [{ toExecRequest }, { runExec }, { readPromptWithInput }, { startTurn }] =
      await Promise.all([
        import("../exec/exec-request.js"),
        import("../exec/run.js"),
        import("../exec/read-prompt.js"),
        import("../exec/start-turn.js"),
      ]);
    const request = await toExecRequest(values, io);
    const prompt = readPromptWithInput(positionals[0], io);
    return runExec({ thread: { kind: "new" }, prompt, start: startTurn(request) }, request, io);
  },
});
