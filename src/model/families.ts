import type { ModelBehavior } from "../compat/index.js";
import { presetOf } from "./presets.js";
import type { ModelFamily } from "./types.js";

/** Models known at a point in time, and the defaults for others. */
interface Catalogue {
  /** Searched in order; the first matching prefix wins. */
  rows: readonly CatalogueRow[];
  unknown: Omit<ModelFamily, "name" | "known">;
  /** Percentage of the window that a conversation may fill. */
  usableWindowPercent: number;
}

/** Models whose name starts with one of the prefixes. */
interface CatalogueRow extends Omit<ModelFamily, "name" | "known"> {
  prefixes: readonly string[];
  /** Name of the family; absent: each model is a separate family. */
  name?: string;
}

/** Looks up the capabilities of a model by its name. */
export function modelFamily(
  slug: string,
  catalogue: ModelBehavior["catalogue"] = "2025-09",
): ModelFamily {
  const { rows, unknown, usableWindowPercent } = catalogues[catalogue];
  const row = rows.find(({ prefixes }) => prefixes.some((prefix) => slug.startsWith(prefix)));
  const { prefixes: _, ...family } = row ?? { ...unknown, prefixes: [] };
  const window = family.contextWindow;
  // A group of models has one default, but some of its models offer another.
  const ownEffort = family.defaultEffort && presetOf(slug, catalogue)?.defaultEffort;
  return {
    ...family,
    ...(ownEffort === undefined ? undefined : { defaultEffort: ownEffort }),
    name: row?.name ?? slug,
    known: row !== undefined,
    ...(window === undefined
      ? undefined
      : { contextWindow: Math.floor((window * usableWindowPercent) / 100) }),
  };
}

const plain = {
  reasoning: false,
  needsPatchText: false,
  shellTool: "shell",
  parallelToolCalls: false,
  verbosity: false,
} as const;

const taught = { ...plain, needsPatchText: true } as const;
const reasoning = { ...taught, reasoning: true } as const;
const codex = { ...plain, reasoning: true } as const;

const oSeriesSize = { contextWindow: 200_000, maxOutputTokens: 100_000 } as const;
const gpt5Size = { contextWindow: 272_000, maxOutputTokens: 128_000 } as const;

const gpt5: CatalogueRow = {
  ...reasoning,
  ...gpt5Size,
  prefixes: ["gpt-5"],
  name: "gpt-5",
  verbosity: true,
};

/** Families that have not changed since they were first known. */
const olderRows: readonly CatalogueRow[] = [
  { ...reasoning, ...oSeriesSize, prefixes: ["o3"], name: "o3" },
  { ...reasoning, ...oSeriesSize, prefixes: ["o4-mini"], name: "o4-mini" },
  {
    ...reasoning,
    ...oSeriesSize,
    prefixes: ["codex-mini-latest"],
    name: "codex-mini-latest",
    shellTool: "local_shell",
  },
  {
    ...taught,
    prefixes: ["gpt-4.1"],
    name: "gpt-4.1",
    contextWindow: 1_047_576,
    maxOutputTokens: 32_768,
  },
  {
    ...plain,
    prefixes: ["gpt-oss", "openai/gpt-oss"],
    name: "gpt-oss",
    applyPatchTool: "function",
    contextWindow: 96_000,
    maxOutputTokens: 32_000,
  },
  {
    ...taught,
    prefixes: ["gpt-4o"],
    name: "gpt-4o",
    contextWindow: 128_000,
    maxOutputTokens: 16_384,
  },
  {
    ...taught,
    prefixes: ["gpt-3.5"],
    name: "gpt-3.5",
    contextWindow: 16_385,
    maxOutputTokens: 4_096,
  },
];

const september2025: Catalogue = {
  rows: [...olderRows, { ...codex, ...gpt5Size, prefixes: ["codex-", "gpt-5-codex"] }, gpt5],
  unknown: plain,
  usableWindowPercent: 100,
};

const october2025: Catalogue = {
  ...september2025,
  rows: [
    ...olderRows,
    {
      ...codex,
      ...gpt5Size,
      prefixes: ["codex-"],
      applyPatchTool: "freeform",
      parallelToolCalls: true,
    },
    { ...codex, ...gpt5Size, prefixes: ["gpt-5-codex"], applyPatchTool: "freeform" },
    gpt5,
  ],
};

/** Common capabilities of the models of 2026. */
const modern = {
  ...codex,
  ...gpt5Size,
  applyPatchTool: "freeform",
  shellTool: "unified_exec",
  parallelToolCalls: true,
  defaultEffort: "medium",
} as const;

const talkative = { ...modern, verbosity: true, defaultVerbosity: "low" } as const;
const quiet = { ...talkative, defaultSummary: "none" } as const;

const february2026: Catalogue = {
  rows: [
    { ...quiet, prefixes: ["gpt-6", "gpt-5.6"] },
    { ...quiet, prefixes: ["gpt-5.4-mini"], defaultVerbosity: "medium" },
    { ...quiet, prefixes: ["gpt-5.5", "gpt-5.4"] },
    { ...talkative, prefixes: ["gpt-5.3-codex"] },
    { ...modern, prefixes: ["gpt-5.2-codex"] },
    { ...modern, prefixes: ["gpt-5.1-codex", "gpt-5-codex"], parallelToolCalls: false },
    { ...talkative, prefixes: ["gpt-5.2", "gpt-5.1"] },
    { ...gpt5, shellTool: "unified_exec", defaultEffort: "medium" },
    ...olderRows.map(withUnifiedExec),
    { ...modern, prefixes: ["codex-"] },
  ],
  unknown: { ...plain, shellTool: "unified_exec", contextWindow: 272_000 },
  usableWindowPercent: 95,
};

/** Models that work through scripts. */
const scripted = { ...quiet, toolMode: "code_only", parallelToolCalls: false } as const;

/** Models that continue while the user or something else takes its time. */
const patient = { clock: true, asyncQuestions: true, explainsDefaultMode: true } as const;

const november2026: Catalogue = {
  ...february2026,
  rows: [
    { ...scripted, prefixes: ["gpt-5.6-luna"], multiAgent: "v1" },
    { ...scripted, prefixes: ["codex-auto-review"], multiAgent: "v1" },
    { ...scripted, ...patient, prefixes: ["gpt-6-luna"], multiAgent: "v2" },
    { ...scripted, ...patient, prefixes: ["gpt-6"], multiAgent: "v2", scriptReview: true },
    {
      ...scripted,
      prefixes: ["gpt-daybreak-red-"],
      multiAgent: "v2",
      defaultVerbosity: "high",
    },
    { ...scripted, prefixes: ["gpt-5.6", "gpt-daybreak-"], multiAgent: "v2" },
    { ...quiet, prefixes: ["gpt-5.5"], multiAgent: "v1", toolSearch: true },
    ...february2026.rows,
  ],
  unknown: { ...february2026.unknown, reasoning: true, parallelToolCalls: true },
};

/** Catalogues by the month of the reference that they follow. */
const catalogues: Record<ModelBehavior["catalogue"], Catalogue> = {
  "2025-09": september2025,
  "2025-10": october2025,
  "2026-02": february2026,
  "2026-11": november2026,
};

function withUnifiedExec(row: CatalogueRow): CatalogueRow {
  return row.shellTool === "local_shell" ? row : { ...row, shellTool: "unified_exec" };
}
