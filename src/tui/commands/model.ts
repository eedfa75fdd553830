import type { Model } from "../../protocol/rpc/v2/model.js";
import type { Effort } from "../state/settings.js";
import type { CommandContext, SlashCommand } from "./command.js";
import { complain, say } from "./notices.js";

/** Chooses the model, and how hard it thinks. */
export const model: SlashCommand = {
  name: "model",
  summary: "Choose the model and reasoning effort",
  operands: "[MODEL]",
  async run(context, operands) {
    const { ui, server, session } = context;
    if (operands !== "") return choose(context, operands, undefined);
    const { data } = await server.request("model/list", {});
    const now = session.conversation.status.settings;
    const models = data.filter(({ hidden }) => !hidden);
    const chosen = await ui.pick({
      title: "Select a model",
      choices: models.map((each) => ({
        value: each,
        label: each.displayName,
        description: each.model === now?.model ? `${each.description} (current)` : each.description,
      })),
      selected: Math.max(
        0,
        models.findIndex((each) => each.model === now?.model),
      ),
    });
    if (chosen === undefined) return;
    const effort = await chooseEffort(context, chosen);
    if (effort !== undefined) await choose(context, chosen.model, effort);
  },
};

async function chooseEffort(
  { ui, session }: CommandContext,
  { displayName, supportedReasoningEfforts = [], defaultReasoningEffort }: Model,
): Promise<Effort | undefined> {
  if (supportedReasoningEfforts.length < 2) return defaultReasoningEffort as Effort;
  const now = session.conversation.status.settings?.effort ?? defaultReasoningEffort;
  return ui.pick({
    title: `Select the reasoning effort of ${displayName}`,
    choices: supportedReasoningEfforts.map(({ reasoningEffort, description }) => ({
      value: reasoningEffort as Effort,
      label: reasoningEffort,
      description,
    })),
    selected: Math.max(
      0,
      supportedReasoningEfforts.findIndex((each) => each.reasoningEffort === now),
    ),
  });
}

/** From the next turn on, and for later conversations. */
async function choose(context: CommandContext, name: string, effort: Effort | undefined) {
  const { session, server } = context;
  session.override({ model: name, ...(effort === undefined ? {} : { effort }) });
  say(context, `Model: ${name}${effort === undefined ? "" : ` ${effort}`}`);
  const replace = (keyPath: string, value: string) =>
    ({ keyPath, value, mergeStrategy: "replace" }) as const;
  const edits = [
    replace("model", name),
    ...(effort === undefined ? [] : [replace("model_reasoning_effort", effort)]),
  ];
  await server.request("config/batchWrite", { edits }).catch((error: unknown) => {
    complain(
      context,
      "The model is used in this session, but could not be saved to config.toml",
      error,
    );
  });
}
