import type { FunctionToolSpec, NamespaceToolSpec } from "../../protocol/types.js";
import type { Tool, ToolBox, ToolTurn } from "../tool.js";
import { collaborationNamespace, collaborationTools } from "./collaboration.js";

/** Adds the tools of helper agents to a box; `offeredIn` decides in which turns they are offered. */
export function withAgentTools(box: ToolBox, offeredIn: (turn: ToolTurn) => boolean): ToolBox {
  const byName = new Map(collaborationTools.map((tool) => [specOf(tool).name, tool]));
  const namespace: NamespaceToolSpec = {
    type: "namespace",
    name: collaborationNamespace,
    description: "Helper agents that work for you at the same time.",
    tools: collaborationTools.map((tool) => withoutEmptyRequired(specOf(tool))),
  };
  return {
    offered: (turn) => (offeredIn(turn) ? [...box.offered(turn), namespace] : box.offered(turn)),
    find(kind, name, group) {
      const isOwn = kind === "function" && group === collaborationNamespace;
      return isOwn ? byName.get(name) : box.find(kind, name, group);
    },
    close: () => box.close(),
  };
}

function specOf({ spec }: Tool): FunctionToolSpec {
  return spec as FunctionToolSpec;
}

/** Models know these schemas without the list if nothing is required. */
function withoutEmptyRequired(spec: FunctionToolSpec): FunctionToolSpec {
  const { required, ...rest } = spec.parameters as { required: readonly string[] };
  return required.length > 0 ? spec : { ...spec, parameters: rest };
}
