import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";
import type { Model } from "../../protocol/rpc/v2/model.js";
import type { ThreadSettingsUpdateParams } from "../../protocol/rpc/v2/thread-settings.js";
import { invalidParams } from "./errors.js";
import type { SessionSettings } from "./settings.js";

type Change = Omit<ThreadSettingsUpdateParams, "threadId">;

/** Returns the options that the editor shows: mode, model and reasoning effort. */
export function toConfigOptions(
  { model, effort }: SessionSettings,
  modes: SessionModeState,
  models: readonly Model[],
): SessionConfigOption[] {
  const known = models.find((one) => one.model === model);
  const efforts = known?.supportedReasoningEfforts ?? [];
  const level = effort ?? known?.defaultReasoningEffort;
  return [
    select({
      id: "mode",
      name: "Mode",
      category: "mode",
      currentValue: modes.currentModeId,
      options: modes.availableModes.map(({ id, name, description }) =>
        option(id, name, description),
      ),
    }),
    select({
      id: "model",
      name: "Model",
      category: "model",
      currentValue: model,
      options: withCurrent(
        model,
        models.map((one) => option(one.model, one.displayName, one.description)),
      ),
    }),
    ...(level === undefined || efforts.length === 0
      ? []
      : [
          select({
            id: "effort",
            name: "Reasoning effort",
            category: "thought_level",
            currentValue: level,
            options: withCurrent(
              level,
              efforts.map(({ reasoningEffort, description }) =>
                option(reasoningEffort, titled(reasoningEffort), description),
              ),
            ),
          }),
        ]),
  ];
}

/** Returns the settings of a chosen model or effort; throws if the option or its value is unknown. */
export function changeOf(
  configId: string,
  value: unknown,
  options: readonly SessionConfigOption[],
): Change {
  const found = options.find(({ id }) => id === configId);
  if (found?.type !== "select") {
    throw invalidParams(
      expected(
        "configId",
        options.map(({ id }) => id),
        configId,
      ),
    );
  }
  const values = found.options.flatMap((one) => ("value" in one ? [one.value] : []));
  if (typeof value !== "string" || !values.includes(value)) {
    throw invalidParams(expected("value", values, value));
  }
  return configId === "model" ? { model: value } : { effort: value as Change["effort"] & string };
}

function expected(field: string, known: readonly string[], got: unknown): string {
  const list = known.map((one) => JSON.stringify(one)).join(", ");
  return `Expected \`${field}\` to be one of ${list} (got ${JSON.stringify(got)})`;
}

type Select = Extract<SessionConfigOption, { type: "select" }>;

function select(fields: Omit<Select, "type">): SessionConfigOption {
  return { type: "select", ...fields } as SessionConfigOption;
}

interface Choice {
  value: string;
  name: string;
  description?: string;
}

function option(value: string, name: string, description: string | null | undefined): Choice {
  return { value, name, ...(description ? { description } : {}) };
}

/** A value of the config need not be listed. */
function withCurrent(value: string, choices: readonly Choice[]): Choice[] {
  const isListed = choices.some((choice) => choice.value === value);
  return isListed ? [...choices] : [option(value, value, undefined), ...choices];
}

function titled(effort: string): string {
  return effort.charAt(0).toUpperCase() + effort.slice(1);
}
