import type { ToolSpec } from "../protocol/types.js";
import type { Tool } from "./tool.js";
import type { ToolBox } from "./tool-box.js";

/**
 * Limits a box to some tools: others are neither offered nor found.
 *
 * A tool is listed by its name; a group of tools by its own name, or by those of its tools.
 */
export function onlyTools(box: ToolBox, names: readonly string[]): ToolBox {
  const isListed = (name: string, namespace?: string | null) =>
    names.includes(name) || (namespace != null && names.includes(namespace));
  const limit = <Spec extends ToolSpec>(specs: readonly Spec[]): Spec[] =>
    specs.flatMap((spec) => {
      if (isListed(nameOf(spec))) return [spec];
      if (spec.type !== "namespace") return [];
      const tools = spec.tools.filter((tool) => isListed(nameOf(tool)));
      return tools.length === 0 ? [] : [{ ...spec, tools }];
    });
  return {
    ...box,
    get background() {
      return box.background;
    },
    offered: (turn) => limit(box.offered(turn)),
    deferrable: (turn) => limit(box.deferrable?.(turn) ?? []),
    find(kind, name, namespace): Tool | undefined {
      return isListed(name, namespace) ? box.find(kind, name, namespace) : undefined;
    },
  };
}

function nameOf(spec: ToolSpec): string {
  return "name" in spec ? spec.name : spec.type;
}
