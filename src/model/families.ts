import type { ModelBehavior } from "../compat/index.js";
import type { ReasoningEffort, ReasoningSummary, Verbosity } from "../protocol/types.js";
import { catalogues } from "./catalogue.js";

/** What a group of models can do and how it is to be asked. */
export interface ModelFamily {
  /** The name of the family; that of the model itself where it stands alone. */
  name: string;
  /** Whether a request may ask for reasoning and its summary. */
  reasoning: boolean;
  /** What is asked for when the user says nothing. */
  defaultEffort?: ReasoningEffort;
  defaultSummary?: ReasoningSummary;
  /** The model must be taught how to call `apply_patch` as a shell command. */
  needsPatchText: boolean;
  /** The form in which `apply_patch` is offered unasked; absent: only when the user asks. */
  applyPatchTool?: "freeform" | "function";
  shellTool: "shell" | "local_shell" | "unified_exec";
  /** How many tokens the model can be shown; absent when unknown. */
  contextWindow?: number;
  maxOutputTokens?: number;
  /** Several calls of one response may run side by side. */
  parallelToolCalls: boolean;
  /** Whether a request may ask for short or long answers. */
  verbosity: boolean;
  defaultVerbosity?: Verbosity;
  /** False: the model is not in the catalogue, and all of this is assumed. */
  known: boolean;
}

/** The models known at a point in time, and what is assumed of all others. */
export interface Catalogue {
  /** Looked through in order; the first prefix that fits decides. */
  rows: readonly CatalogueRow[];
  unknown: Omit<ModelFamily, "name" | "known">;
  /** The part of the window that a conversation may fill, in percent. */
  usableWindowPercent: number;
}

/** The models whose name starts with one of the prefixes. */
export interface CatalogueRow extends Omit<ModelFamily, "name" | "known"> {
  prefixes: readonly string[];
  /** The family's name; absent: each model is a family of its own. */
  name?: string;
}

/** What is known of a model by its name. */
export function modelFamily(
  slug: string,
  catalogue: ModelBehavior["catalogue"] = "2025-09",
): ModelFamily {
  const { rows, unknown, usableWindowPercent } = catalogues[catalogue];
  const row = rows.find(({ prefixes }) => prefixes.some((prefix) => slug.startsWith(prefix)));
  const { prefixes: _, ...family } = row ?? { ...unknown, prefixes: [] };
  const window = family.contextWindow;
  return {
    ...family,
    name: row?.name ?? slug,
    known: row !== undefined,
    ...(window === undefined
      ? undefined
      : { contextWindow: Math.floor((window * usableWindowPercent) / 100) }),
  };
}
