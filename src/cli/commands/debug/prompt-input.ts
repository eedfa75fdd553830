import { configFlags } from "../../../config/index.js";
import { createQueues, runCodex } from "../../../engine/index.js";
import { createLocalParts } from "../../../engine/local/index.js";
import type { Prompt } from "../../../model/index.js";
import { scriptedClient } from "../../../model/scripted/index.js";
import { CodexError } from "../../../protocol/error.js";
import type { InputItem, Op } from "../../../protocol/types.js";
import { type CommandIo, defineCommand } from "../../command.js";
import { exitCodes } from "../../exit-codes.js";
import { requireEra } from "../../identity.js";
import { type SessionValues, sessionOptions } from "../../options/session-options.js";
import { toSessionRequest } from "../../options/session-request.js";

const { model, cd, image, config, enable, disable } = sessionOptions;

/** Prints the items that a new session would send; makes no request. */
export const debugPromptInput = defineCommand({
  name: "debug prompt-input",
  summary: "Print the input of the first model request as JSON",
  operands: "[PROMPT]",
  mostOperands: 1,
  options: { model, cd, image, ...configFlags, config, enable, disable },
  details:
    "Prints the context of a new session and the prompt. Makes no request and records nothing.",
  async run({ values, positionals: [prompt] }, io) {
    const request = await toSessionRequest(values as SessionValues, io);
    const items: InputItem[] = request.images.map((path) => ({ type: "local_image", path }));
    if (prompt !== undefined) items.push({ type: "text", text: prompt });
    const { cwd, model: slug, config: settings } = request.thread;
    const session: Op = {
      type: "configure_session",
      cwd,
      ephemeral: true,
      config: settings,
      ...(slug === undefined ? {} : { model: slug }),
    };
    const { input } = await firstRequest(session, items, { ...io, cwd });
    // A request needs a user message; without a prompt it is not part of the output.
    const shown = items.length === 0 ? input.slice(0, -1) : input;
    io.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
    return exitCodes.ok;
  },
});

/** Runs one turn on a model that answers nothing, and returns its request. */
async function firstRequest(
  session: Op,
  items: readonly InputItem[],
  { env, cwd, signal }: CommandIo,
): Promise<Prompt> {
  const parts = createLocalParts({ env, cwd, era: requireEra(env) });
  const queues = createQueues();
  const submit = (op: Op) => queues.submissions.push({ id: "debug", op });
  let asked: Prompt | undefined;
  const answers = scriptedClient([[{ completed: true }]]);
  const running = runCodex(queues, {
    ...parts,
    createModel: async () => ({
      stream(prompt, abort) {
        asked ??= { ...prompt, input: [...prompt.input] };
        return answers.stream(prompt, abort);
      },
      close: () => answers.close(),
    }),
  });
  const stop = () => submit({ type: "shutdown" });
  signal.addEventListener("abort", stop, { once: true });
  submit(session);
  submit({
    type: "user_input",
    items: items.length === 0 ? [{ type: "text", text: "-" }] : [...items],
  });
  let problem = "The session ended before its first request";
  for await (const { msg } of queues.events) {
    if (msg.type === "error") problem = msg.message;
    if (msg.type === "error" || msg.type === "task_complete" || msg.type === "turn_aborted") stop();
  }
  await running;
  await parts.close();
  signal.removeEventListener("abort", stop);
  if (asked === undefined) throw new CodexError("config", problem);
  return asked;
}
