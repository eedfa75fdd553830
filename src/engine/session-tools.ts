import { join } from "node:path";
import type { CodeMode } from "../cells/index.js";
import type { Era } from "../compat/index.js";
import type { Config } from "../config/index.js";
import { modelFamily } from "../model/index.js";
import type { DynamicTool } from "../protocol/types.js";
import {
  type DeferrableSpec,
  onlyTools,
  type SearchRule,
  type ToolBox,
  type ToolTurn,
  withDynamicTools,
} from "../tools/index.js";
import type { EngineParts, SessionServices } from "./parts.js";

/** Services of a session and the tools that its client runs itself. */
interface ToolSources extends Omit<SessionServices, "isAgent"> {
  dynamicTools: readonly DynamicTool[];
}

/** Creates all tools of a session, the search for those that are deferred, and scripts that call them. */
export function createSessionTools(
  config: Config,
  parts: EngineParts,
  { dynamicTools, ...services }: ToolSources,
): ToolBox {
  const { era, isolate, agent } = parts;
  const own = parts.createTools(config, { ...services, isAgent: agent !== undefined });
  if (era.since.current) warnOfTaken(own, dynamicTools, services.warn);
  const unlimited = withDynamicTools(own, dynamicTools);
  const lists = agent?.rights.of(agent.self).tools ?? [];
  const all = lists.reduce(onlyTools, unlimited);
  if (!era.since["0.166"]) return all;
  const limit = config.tools.search_above ?? (era.since.current ? mostOffered : 0);
  const box = withLateTools(all, {
    isNeeded: (turn) => functionCount(all.deferrable?.(turn) ?? []) > limit,
    async wrap() {
      const { withToolSearch } = await import("../tools/search/tool-search.js");
      return withToolSearch(all, searchRule(config, era, limit));
    },
  });
  if (isolate === undefined) return box;
  return withLateTools(box, {
    isNeeded: (turn) => codeMode(config, turn) !== undefined,
    wrap: () => wrapInScripts(box, { all, config, isolate, limit }),
  });
}

/** A call of such a name runs the built-in tool, also if the turn does not offer that. */
function warnOfTaken(
  own: ToolBox,
  tools: readonly DynamicTool[],
  warn: SessionServices["warn"],
): void {
  for (const { name, namespace } of tools) {
    if (own.find("function", name, namespace) === undefined) continue;
    warn(
      `The tool \`${name}\` of the client has the name of a built-in tool, which is called in its place: rename it.`,
    );
  }
}

function functionCount(specs: readonly DeferrableSpec[]): number {
  return specs.reduce((sum, spec) => sum + (spec.type === "namespace" ? spec.tools.length : 1), 0);
}

/** Tools that a box gets when a turn first needs them. */
export interface LateTools {
  isNeeded(turn: ToolTurn): boolean;
  /** Returns the box with the tools; called once. */
  wrap(): Promise<ToolBox>;
}

/** Adds tools to a box late, so that sessions that never need them do not load them. */
export function withLateTools(box: ToolBox, { isNeeded, wrap }: LateTools): ToolBox {
  let current = box;
  const load = async () => {
    current = await wrap();
  };
  return {
    ...box,
    prepare(turn) {
      const own = () => (current === box && isNeeded(turn) ? load() : undefined);
      const before = box.prepare?.(turn);
      return before === undefined ? own() : before.then(own);
    },
    offered: (turn) => current.offered(turn),
    deferrable: (turn) => current.deferrable?.(turn) ?? [],
    find: (kind, name, namespace) => current.find(kind, name, namespace),
    close: () => current.close(),
  };
}

interface ScriptParts {
  all: ToolBox;
  config: Config;
  isolate: NonNullable<EngineParts["isolate"]>;
  limit: number;
}

async function wrapInScripts(
  box: ToolBox,
  { all, config, isolate, limit }: ScriptParts,
): Promise<ToolBox> {
  const { withCodeMode } = await import("../cells/code-mode.js");
  const { yieldMs, directNamespaces, excludedNamespaces } = config.code_mode;
  const { script_seconds: seconds, script_memory_mb: memoryMb } = config.tools;
  return withCodeMode(box, {
    all,
    sandbox: { isolate },
    limits: { seconds, memoryMb },
    modeIn: (turn) => codeMode(config, turn),
    formIn: ({ family }) => {
      const isKnown = family.toolMode !== undefined || family.applyPatchTool === "freeform";
      return isKnown && config.provider.wire_api === "responses" ? "custom" : "function";
    },
    rules: { defersBeyond: limit, direct: directNamespaces, excluded: excludedNamespaces },
    yieldMs,
  });
}

/** Returns the use of scripts in a turn: as the user has set it, or as the model expects. */
export function codeMode({ features }: Config, { family }: ToolTurn): CodeMode | undefined {
  if (features.get("code_mode_only") === true) return "only";
  const isWanted = features.get("code_mode");
  if (isWanted === false) return undefined;
  if (family.toolMode === "code_only") return "only";
  return isWanted ? "beside" : undefined;
}

/** Returns warnings about scripts that the user has enabled, for a model that does not expect them. */
export function codeModeWarnings(
  { features, home, model, settings }: Config,
  { since, model: { catalogue } }: Era,
): string[] {
  const names = ["code_mode", "code_mode_only"].filter((name) => features.get(name) === true);
  if (names.length === 0 || !since["0.166"]) return [];
  const remedy = `set \`suppress_unstable_features_warning = true\` in ${join(home, "config.toml")}`;
  const isKnown = modelFamily(model, catalogue).toolMode !== undefined;
  return [
    // Scripts are a complete feature here.
    ...(since.current || settings.suppress_unstable_features_warning
      ? []
      : [
          `Under-development features enabled: ${names.join(", ")}. Under-development features are incomplete and may behave unpredictably. To suppress this warning, ${remedy}.`,
        ]),
    ...(isKnown
      ? []
      : [
          `Code Mode is enabled in configuration, but model \`${model}\` does not advertise Code Mode support. This may degrade model performance. Disable \`features.code_mode\` and \`features.code_mode_only\`, or select a model whose metadata enables Code Mode.`,
        ]),
  ];
}

/**
 * Number of tools that are offered by default in full.
 *
 * 0.166 defers all tools if the model knows the search, which costs a step even for a single tool.
 */
const mostOffered = 20;

/** Models without the items of a search get a function since `current`; they were offered all tools. */
function searchRule({ provider }: Config, { since }: Era, limit: number): SearchRule {
  return ({ family }, deferrable) => {
    const hasItems = family.toolSearch === true && provider.wire_api === "responses";
    if (deferrable <= limit || !(hasItems || since.current)) return undefined;
    return hasItems ? "items" : "function";
  };
}
