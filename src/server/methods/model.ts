import type { ModelPreset } from "../../model/index.js";
import type {
  CollaborationModeListResponse,
  Model,
  ModelListParams,
  ModelListResponse,
  ModelProviderCapabilitiesReadResponse,
} from "../../protocol/rpc/v2/model.js";
import type { Connection, V2Handlers } from "../connection.js";
import { pageOf } from "./page.js";

/** Handlers that list models, collaboration modes and provider capabilities. */
export const modelHandlers = {
  "model/list": listModels,
  "collaborationMode/list": () => modes,
  "modelProvider/capabilities/read": async (_, { server }) => {
    const { provider } = await server.parts.loadConfig({ type: "configure_session" });
    const answer: ModelProviderCapabilitiesReadResponse = {
      imageGeneration: false, // there is no tool for it
      webSearch: provider.wire_api === "responses",
    };
    return answer;
  },
} satisfies Partial<V2Handlers>;

const modes: CollaborationModeListResponse = {
  data: [
    { name: "Plan", mode: "plan", model: null, reasoning_effort: "medium" },
    { name: "Default", mode: "default", model: null, reasoning_effort: null },
  ],
};

async function listModels(
  { includeHidden = false, ...page }: ModelListParams,
  connection: Connection,
): Promise<ModelListResponse> {
  const { parts } = connection.server;
  const { describeEffort, models } = await parts.modelPresets();
  const first = models.find(({ hidden }) => !hidden);
  const all = parts.era.v2.newEfforts === "always" || connection.capabilities.experimentalApi;
  const listed = models
    .filter(({ hidden }) => includeHidden || !hidden)
    .map((preset) => {
      const efforts = preset.efforts.filter((effort) => all || knownEfforts.has(effort));
      const options = efforts.map((effort) => ({
        reasoningEffort: effort,
        description: describeEffort(effort),
      }));
      return toModel(preset, options, preset === first);
    });
  return pageOf(listed, page, "models");
}

/** Efforts that clients with a closed enum accept. */
const knownEfforts: ReadonlySet<string> = new Set([
  "none",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
]);

function toModel(
  preset: ModelPreset,
  supportedReasoningEfforts: Model["supportedReasoningEfforts"],
  isDefault: boolean,
): Model {
  const { id, upgrade, news, fast = false } = preset;
  return {
    id,
    model: id,
    upgrade: upgrade ?? null,
    upgradeInfo: upgrade === undefined ? null : toUpgrade(upgrade),
    availabilityNux: news === undefined ? null : { message: news },
    displayName: preset.displayName,
    description: preset.description,
    modelSpecialty: preset.specialty ?? null,
    hidden: preset.hidden,
    supportedReasoningEfforts,
    defaultReasoningEffort: preset.defaultEffort,
    inputModalities: ["text", "image"],
    supportsPersonality: preset.personality ?? false,
    multiAgentVersion: preset.multiAgent ?? null,
    additionalSpeedTiers: fast ? ["fast"] : [],
    serviceTiers: fast
      ? [{ id: "priority", name: "Fast", description: "Answers sooner, and costs more" }]
      : [],
    defaultServiceTier: preset.fastUnasked ? "priority" : null,
    availableAccessPrograms: null,
    isDefault,
  };
}

function toUpgrade(model: string): Model["upgradeInfo"] {
  const migrationMarkdown = `\`${model}\` takes the place of this model.`;
  return { model, upgradeCopy: null, modelLink: null, migrationMarkdown, retirementAt: null };
}
