import type { FunctionToolSpec, NamespaceToolSpec } from "../../protocol/types.js";
import type { Tool, ToolBox, ToolTurn } from "../tool.js";
import { collaborationNamespace, collaborationTools } from "./collaboration.js";
import { firstGenerationNamespace, firstGenerationTools } from "./multi-agent-v1.js";

/** Decides on the generation of the tools that are offered in a turn; `undefined` for none. */
export type AgentRule = (turn: ToolTurn) => "v1" | "v2" | undefined;

/**
 * Adds the tools of helper agents to a box.
 *
 * Those of the first generation can be deferred, as models know them.
 */
export function withAgentTools(box: ToolBox, generationIn: AgentRule): ToolBox {
  const groups = {
    v1: toGroup(firstGenerationNamespace, firstGenerationTools),
    v2: toGroup(collaborationNamespace, collaborationTools),
  };
  return {
    ...box,
    offered(turn) {
      const generation = generationIn(turn);
      const own = box.offered(turn);
      return generation === undefined ? own : [...own, groups[generation].spec];
    },
    deferrable(turn) {
      const own = box.deferrable?.(turn) ?? [];
      return generationIn(turn) === "v1" ? [...own, groups.v1.spec] : own;
    },
    find(kind, name, namespace) {
      const group = Object.values(groups).find(({ spec }) => spec.name === namespace);
      if (group === undefined || kind !== "function") return box.find(kind, name, namespace);
      return group.byName.get(name);
    },
  };
}

function toGroup(name: string, tools: readonly Tool[]) {
  const specs = tools.map((tool) => tool.spec as FunctionToolSpec);
  const spec: NamespaceToolSpec = {
    type: "namespace",
    name,
    description: "Helper agents that work for you at the same time.",
    tools: specs.map(withoutEmptyRequired),
  };
  return { spec, byName: new Map(specs.map((one, at) => [one.name, tools[at]])) };
}

/** Models know these schemas without the list if nothing is required. */
function withoutEmptyRequired(spec: FunctionToolSpec): FunctionToolSpec {
  const { required, ...rest } = spec.parameters as { required: readonly string[] };
  return required.length > 0 ? spec : { ...spec, parameters: rest };
}
