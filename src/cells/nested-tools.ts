import type { ToolSpec } from "../protocol/types.js";
import type { ToolKind } from "../tools/index.js";
import { declarationOf, type NestedTool } from "./declarations.js";

/** A tool that a script can call, and how it is called directly. */
export interface CallableTool extends NestedTool {
  kind: ToolKind;
  toolName: string;
  namespace?: string;
}

/** The tools of a turn, as code mode offers them. */
export interface NestedCatalogue {
  /** Tools of scripts, by name. */
  nested: ReadonlyMap<string, CallableTool>;
  /** Tools that only the model itself can call. */
  direct: readonly ToolSpec[];
  /** Value of `ALL_TOOLS`. */
  described: readonly { name: string; description: string }[];
  /** Declarations of all tools that are not deferred. */
  declarations: string;
}

/** Choices of the user about tools in scripts. */
export interface NestingRules {
  /** Number of deferrable tools above which they are not declared, but only listed for scripts. */
  defersBeyond: number;
  /** Namespaces that only the model itself calls. */
  direct: readonly string[];
  excluded: readonly string[];
}

/** Sorts the tools of a turn into those of scripts and those of the model itself. */
export function nestedTools(
  specs: readonly ToolSpec[],
  deferrable: readonly ToolSpec[],
  { defersBeyond, direct, excluded }: NestingRules,
): NestedCatalogue {
  const isIn = (spaces: readonly string[], spec: ToolSpec) =>
    spaces.some((space) => "name" in spec && `${spec.name}__`.startsWith(`${space}__`));
  const isDirect = (spec: ToolSpec) => isIn(direct, spec);
  const mayNest = (spec: ToolSpec) => !isDirect(spec) && !isIn(excluded, spec);
  const isDeferred = deferrable.flatMap(callableTools).length > defersBeyond;
  const hidden = new Set(isDeferred ? deferrable : []);
  const callable = specs
    .filter(mayNest)
    .flatMap((spec) =>
      callableTools(spec).map((tool) => ({ tool, isDeclared: !hidden.has(spec) })),
    );
  callable.sort((one, other) => (one.tool.name < other.tool.name ? -1 : 1));
  const tools = callable.map(({ tool }) => tool);
  const declared = callable.filter(({ isDeclared }) => isDeclared);
  return {
    nested: new Map(tools.map((tool) => [tool.name, tool])),
    direct: specs.flatMap((spec) => (isDirect(spec) ? [spec] : directPart(spec))),
    described: tools.map((tool) => ({
      name: tool.name,
      description: `${tool.description}\n\n${declarationOf(tool)}`,
    })),
    declarations: declared.map(({ tool }) => withComment(tool)).join("\n"),
  };
}

function withComment(tool: CallableTool): string {
  const comment = tool.description.replaceAll(/\s+/g, " ").trim();
  const lines = `${comment === "" ? "" : `// ${comment}\n`}${declarationOf(tool)}`;
  return lines.replaceAll(/^/gm, "  ");
}

/** Tools that talk with the user, and those of agents, are not for scripts. */
const notNested: ReadonlySet<string> = new Set(["request_user_input", "request_user_input_async"]);
const notNestedSpaces: ReadonlySet<string> = new Set(["collaboration"]);

function callableTools(spec: ToolSpec): CallableTool[] {
  switch (spec.type) {
    case "function": {
      const { name, description, parameters, type: kind } = spec;
      if (notNested.has(name)) return [];
      return [{ name, toolName: name, kind, description, parameters }];
    }
    case "custom": {
      const { name, description, type: kind } = spec;
      return [{ name, toolName: name, kind, description, parameters: undefined }];
    }
    case "namespace":
      if (notNestedSpaces.has(spec.name)) return [];
      return spec.tools
        .filter((tool) => !isSleep(spec.name, tool.name))
        .map(({ name, description, parameters, type: kind }) => ({
          name: `${spec.name}__${name}`,
          toolName: name,
          namespace: spec.name,
          kind,
          description,
          parameters,
        }));
    default:
      return [];
  }
}

/** Returns what remains of a definition for the model itself. */
function directPart(spec: ToolSpec): ToolSpec[] {
  if (spec.type === "function") return notNested.has(spec.name) ? [spec] : [];
  if (spec.type !== "namespace") return [];
  if (notNestedSpaces.has(spec.name)) return [spec];
  const tools = spec.tools.filter(({ name }) => isSleep(spec.name, name));
  return tools.length === 0 ? [] : [{ ...spec, tools }];
}

/** A script has timers. */
function isSleep(namespace: string, name: string): boolean {
  return namespace === "clock" && name === "sleep";
}
