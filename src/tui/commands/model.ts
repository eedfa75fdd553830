import { nearest } from "../../lib/nearest.js";
import type { Model } from "../../protocol/rpc/v2/model.js";
import type { LocalModels } from "../host.js";
import { saveSettings } from "../session/save-settings.js";
import type { Effort } from "../state/settings.js";
import {
  type CommandContext,
  printError,
  printNotice,
  printWarning,
  type SlashCommand,
} from "./command.js";

/** `/model` */
export const model: SlashCommand = {
  name: "model",
  summary: "Select the model and reasoning effort",
  operands: "[MODEL]",
  async run(context, operands) {
    const { host, session } = context;
    const provider = session.conversation.status.settings?.provider ?? "";
    const local = await host.localModels?.(provider);
    if (operands !== "") await chooseNamed(context, operands, local);
    else if (local !== undefined) await chooseLocal(context, local);
    else await chooseListed(context);
  },
};

/** Uses the model with a name, also one that is not listed: it may be too new. */
async function chooseNamed(context: CommandContext, name: string, local: LocalModels | undefined) {
  await choose(context, name, undefined, local);
  // A provider would have to be asked.
  if (local !== undefined) return;
  const listed = await context.server.request("model/list", {}).catch(() => undefined);
  const known = listed?.data.map((each) => each.model) ?? [];
  if (known.length === 0 || known.includes(name)) return;
  const near = nearest(name, known);
  const hint = near === undefined ? "/model lists all" : `Did you mean ${near}? /model lists all`;
  printWarning(context, `${name} is not among the listed models`, hint);
}

/** Offers the models that the server lists (those of OpenAI). */
async function chooseListed(context: CommandContext): Promise<void> {
  const { ui, server, session } = context;
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
  if (effort !== undefined) await choose(context, chosen.model, effort, undefined);
}

/** Offers the models of a local provider; asks for a name if the provider does not respond. */
async function chooseLocal(context: CommandContext, local: LocalModels): Promise<void> {
  const { ui, session } = context;
  const now = session.conversation.status.settings;
  const models = await local.list();
  if (models.length === 0) {
    const text = `${now?.provider} does not list its models. Is it running?`;
    const name = (await ui.question({ title: "Model name", text }))?.trim();
    if (name) await choose(context, name, undefined, local);
    return;
  }
  const name = await ui.pick({
    title: `Select a model from ${now?.provider}`,
    choices: models.map((each) => ({
      value: each,
      label: each,
      ...(each === now?.model ? { description: "(current)" } : {}),
    })),
    selected: Math.max(0, models.indexOf(now?.model ?? "")),
  });
  if (name !== undefined) await choose(context, name, undefined, local);
}

async function chooseEffort(
  { ui, session }: CommandContext,
  { displayName, supportedReasoningEfforts = [], defaultReasoningEffort }: Model,
): Promise<Effort | undefined> {
  if (supportedReasoningEfforts.length < 2) return defaultReasoningEffort as Effort;
  const now = session.conversation.status.settings?.effort ?? defaultReasoningEffort;
  return ui.pick({
    title: `Select the reasoning effort for ${displayName}`,
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

/** Uses a model from the next turn on, and saves it and its provider as the default. */
async function choose(
  context: CommandContext,
  name: string,
  effort: Effort | undefined,
  local: LocalModels | undefined,
) {
  const { session, server } = context;
  session.override({ model: name, ...(effort === undefined ? {} : { effort }) });
  printNotice(context, `Model: ${name}${effort === undefined ? "" : ` ${effort}`}`);
  if (local !== undefined && local.settings === undefined) return;
  const settings = {
    model: name,
    ...(effort === undefined ? {} : { model_reasoning_effort: effort }),
    ...local?.settings,
  };
  await saveSettings(server, settings).catch((error: unknown) => {
    printError(
      context,
      "The model is used in this session, but could not be saved to config.toml",
      error,
    );
  });
}
