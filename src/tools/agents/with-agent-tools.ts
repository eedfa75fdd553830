import type { FunctionToolSpec, NamespaceToolSpec } from "../../protocol/types.js";
import type { Tool, ToolTurn } from "../tool.js";
import type { ToolBox } from "../tool-box.js";
import { collaborationNamespace, collaborationTools } from "./collaboration.js";
import { firstGenerationNamespace, firstGenerationTools } from "./multi-agent-v1.js";

/** Decides on the generation of the tools that are offered in a turn; `undefined` for none. */
export type AgentRule = (turn: ToolTurn) => Generation | undefined;

type Generation = "v1" | "v2";

/**
 * Adds the tools of helper agents to a box.
 *
 * Those of the first generation can be deferred, as models know them.
 */
export function withAgentTools(
  box: ToolBox,
  generationIn: AgentRule,
  roles: readonly OfferedRole[] = [],
): ToolBox {
  const groups: Groups = roles.length === 0 ? groupsWithoutRoles : {};
  const groupOf = (generation: Generation) => {
    groups[generation] ??=
      generation === "v1"
        ? toGroup(firstGenerationNamespace, firstGenerationTools, roles)
        : toGroup(collaborationNamespace, collaborationTools, roles);
    return groups[generation];
  };
  return {
    ...box,
    offered(turn) {
      const generation = generationIn(turn);
      const own = box.offered(turn);
      return generation === undefined ? own : [...own, groupOf(generation).spec];
    },
    deferrable(turn) {
      const own = box.deferrable?.(turn) ?? [];
      return generationIn(turn) === "v1" ? [...own, groupOf("v1").spec] : own;
    },
    find(kind, name, namespace) {
      const generation = namespace ? namespaces[namespace] : undefined;
      if (generation === undefined || kind !== "function") return box.find(kind, name, namespace);
      return groupOf(generation).byName.get(name);
    },
  };
}

/** A role that new agents can have. */
export interface OfferedRole {
  name: string;
  description: string | undefined;
}

const namespaces: Readonly<Record<string, Generation | undefined>> = {
  [firstGenerationNamespace]: "v1",
  [collaborationNamespace]: "v2",
};

type Groups = Partial<Record<Generation, Group>>;

/** Shared by the sessions without roles, and with it the JSON of the specs for requests. */
const groupsWithoutRoles: Groups = {};

interface Group {
  spec: NamespaceToolSpec;
  byName: ReadonlyMap<string, Tool | undefined>;
}

function toGroup(name: string, tools: readonly Tool[], roles: readonly OfferedRole[]): Group {
  const specs = tools.map((tool) => tool.spec as FunctionToolSpec);
  const spec: NamespaceToolSpec = {
    type: "namespace",
    name,
    description: "Helper agents that work for you at the same time.",
    tools: specs.map((one) => withRoles(withoutEmptyRequired(one), roles)),
  };
  return { spec, byName: new Map(specs.map((one, at) => [one.name, tools[at]])) };
}

/** Models know these schemas without the list of required fields if nothing is required. */
function withoutEmptyRequired(spec: FunctionToolSpec): FunctionToolSpec {
  return { ...spec, parameters: withoutEmptyLists(spec.parameters) as typeof spec.parameters };
}

function withoutEmptyLists(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return schema;
  const fields = Object.entries(schema)
    .filter(([name, value]) => name !== "required" || !Array.isArray(value) || value.length > 0)
    .map(([name, value]) => [name, withoutEmptyLists(value)]);
  return Object.fromEntries(fields);
}

/** Adds the choice of a role to the tool that starts agents. */
function withRoles(spec: FunctionToolSpec, roles: readonly OfferedRole[]): FunctionToolSpec {
  if (roles.length === 0 || spec.name !== "spawn_agent") return spec;
  const texts = roles.map(({ name, description }) =>
    description === undefined ? name : `${name}: ${description}`,
  );
  const agent_type = {
    type: "string",
    description: `Role of the agent; by default none.\n${texts.join("\n")}`,
  };
  const parameters = spec.parameters as { properties: object };
  const properties = { ...parameters.properties, agent_type };
  return { ...spec, parameters: { ...parameters, properties } };
}
