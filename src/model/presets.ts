import type { ModelBehavior } from "../compat/index.js";
import type { ReasoningEffort } from "../protocol/types.js";
import type { ModelFamily } from "./types.js";

/** A model offered to users, with its description. */
export interface ModelPreset {
  /** The id of the preset. */
  id: string;
  /** The name of the model for people. */
  displayName: string;
  /** A sentence about the model. */
  description: string;
  /** Known, but not offered. */
  hidden: boolean;
  /** The reasoning efforts that it offers. */
  efforts: readonly ReasoningEffort[];
  /** The reasoning effort that is used if none is set. */
  defaultEffort: ReasoningEffort;
  /** The model that replaces it. */
  upgrade?: string;
  /** True if its personality can be chosen. */
  personality?: boolean;
  /** The work that it is made for. */
  specialty?: string;
  /** Generation of the tools of helper agents that the model knows. */
  multiAgent?: "v1" | "v2";
  /** Offers a faster service tier. */
  fast?: boolean;
  /** The faster service tier is the default. */
  fastUnasked?: boolean;
  /** Announcement that users see once. */
  news?: string;
}

/** Returns the models offered at a point in time, in display order. */
export function modelPresets(catalogue: ModelBehavior["catalogue"]): readonly ModelPreset[] {
  return presets[catalogue];
}

/** Returns the model of that name; undefined if it is not in the catalogue. */
export function presetOf(
  model: string,
  catalogue: ModelBehavior["catalogue"],
): ModelPreset | undefined {
  return presets[catalogue].find(({ id }) => id === model);
}

/**
 * Returns the effort to request from the server of a model.
 *
 * No server knows `ultra`: it is the highest effort of the model, shared with helper agents.
 */
export function requestedEffort(
  effort: ReasoningEffort | undefined,
  { model, family }: { model: string; family: Pick<ModelFamily, "defaultEffort"> },
  catalogue: ModelBehavior["catalogue"],
): ReasoningEffort | undefined {
  if (effort !== "ultra") return effort ?? family.defaultEffort;
  const efforts = presetOf(model, catalogue)?.efforts ?? [];
  return efforts.findLast((one) => one !== "ultra") ?? family.defaultEffort ?? "medium";
}

/** Describes an effort for users who choose one. */
export function describeEffort(effort: string): string {
  return effortTexts[effort] ?? `Reasoning effort \`${effort}\``;
}

const effortTexts: Readonly<Record<string, string>> = {
  none: "No reasoning",
  minimal: "Minimal reasoning; the fastest answers",
  low: "Light reasoning for simple tasks",
  medium: "Balanced reasoning for most tasks",
  high: "Deep reasoning for hard tasks",
  xhigh: "Extra deep reasoning for the hardest tasks",
  max: "Maximum reasoning",
  ultra: "Maximum reasoning, shared with other agents",
};

const three = ["low", "medium", "high"] as const;
const four = [...three, "xhigh"] as const;
const five = [...four, "max"] as const;
const six = [...five, "ultra"] as const;

function preset(id: string, rest: Partial<ModelPreset>): ModelPreset {
  const usual = { displayName: id, hidden: false, efforts: four, defaultEffort: "medium" } as const;
  return { id, ...usual, description: "A model for work on code.", ...rest };
}

const autumn2025 = [
  preset("gpt-5-codex", { efforts: three }),
  preset("gpt-5", {
    efforts: ["minimal", ...three],
    description: "A model for all kinds of work.",
  }),
];

const older = { upgrade: "gpt-5.3-codex" };
const small = {
  efforts: ["medium", "high"],
  description: "A small and quick model for code.",
} as const;

const february2026 = [
  preset("gpt-5.3-codex", { hidden: true, personality: true }),
  preset("gpt-5.2-codex", { ...older, personality: true }),
  preset("gpt-5.1-codex-max", { ...older, description: "A model for long work on code." }),
  preset("gpt-5.1-codex", { ...older, hidden: true, efforts: three }),
  preset("gpt-5.2", { ...older, description: "A model for all kinds of work." }),
  preset("gpt-5.1", { ...older, hidden: true, efforts: three }),
  preset("gpt-5-codex", { ...older, hidden: true, efforts: three }),
  preset("gpt-5", { ...older, hidden: true, efforts: ["minimal", ...three] }),
  preset("gpt-5.1-codex-mini", { ...older, ...small }),
  preset("gpt-5-codex-mini", { ...older, ...small, hidden: true }),
  preset("bengalfox", { hidden: true, personality: true }),
  preset("boomslang", { hidden: true }),
];

const fast = { fast: true, multiAgent: "v2" } as const;
const cyber = { hidden: true, efforts: six, multiAgent: "v2", specialty: "cyber" } as const;
const previous = { description: "A model of the previous generation." };

const november2026 = [
  preset("gpt-6.1-sol", {
    ...fast,
    displayName: "GPT-6.1-Sol",
    efforts: six,
    defaultEffort: "low",
    description: "For code and all daily work.",
    news: "GPT-6.1-Sol can be chosen now.",
  }),
  preset("gpt-6-astra", {
    ...fast,
    displayName: "GPT-6-Astra",
    efforts: six,
    defaultEffort: "low",
    description: "For the hardest work.",
  }),
  preset("gpt-6-sol", {
    ...fast,
    ...previous,
    displayName: "GPT-6-Sol",
    efforts: six,
    fastUnasked: true,
  }),
  preset("gpt-6-luna", {
    ...fast,
    displayName: "GPT-6-Luna",
    efforts: five,
    fastUnasked: true,
    description: "Quick and cheap, for easier tasks.",
  }),
  preset("gpt-5.6-sol", {
    ...fast,
    ...previous,
    displayName: "GPT-5.6-Sol",
    efforts: six,
    defaultEffort: "low",
    upgrade: "gpt-6-sol",
  }),
  preset("gpt-6.1-terra", {
    ...fast,
    displayName: "GPT-6.1 Terra",
    efforts: six,
    defaultEffort: "low",
  }),
  preset("gpt-5.6-terra", {
    ...fast,
    ...previous,
    displayName: "GPT-5.6-Terra",
    efforts: six,
    upgrade: "gpt-6-sol",
  }),
  preset("gpt-5.6-luna", {
    ...fast,
    ...previous,
    displayName: "GPT-5.6-Luna",
    efforts: five,
    upgrade: "gpt-6-luna",
    multiAgent: "v1",
  }),
  preset("gpt-daybreak-blue-latest", {
    ...cyber,
    displayName: "Daybreak Blue",
    defaultEffort: "low",
    description: "For defence against attacks on computers.",
  }),
  preset("gpt-daybreak-red-latest", {
    ...cyber,
    displayName: "Daybreak Red",
    description: "For research into attacks on computers, by those who may.",
  }),
  preset("gpt-5.5", {
    ...previous,
    displayName: "GPT-5.5",
    fast: true,
    upgrade: "gpt-6-sol",
  }),
  preset("codex-auto-review", {
    ...fast,
    displayName: "Codex Auto Review",
    hidden: true,
    efforts: five,
    multiAgent: "v1",
    description: "Decides about approvals in the user's place.",
  }),
];

const presets: Record<ModelBehavior["catalogue"], readonly ModelPreset[]> = {
  "2025-09": autumn2025,
  "2025-10": autumn2025,
  "2026-02": february2026,
  "2026-11": november2026,
};
