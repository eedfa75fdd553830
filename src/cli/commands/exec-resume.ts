import { defineCommand } from "../command.js";
import { execOptions } from "../exec/exec-options.js";
import type { ThreadChoice } from "../exec/open-thread.js";
import { UsageError } from "../usage-error.js";

/** One more task in a conversation that was recorded. */
export const execResume = defineCommand({
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
    const [{ toExecRequest }, { runExec }, { readPrompt }, { startTurn }] = await Promise.all([
      import("../exec/exec-request.js"),
      import("../exec/run.js"),
      import("../exec/read-prompt.js"),
      import("../exec/start-turn.js"),
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
