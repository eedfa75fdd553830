import type { Tool, ToolBox } from "../../tools/index.js";
import type { McpAccess } from "../mcp-access.js";

/** The tools of a session that begins without MCP servers, and those of servers that it gets later. */
export function withServersToCome(box: ToolBox, mcp: McpAccess): ToolBox {
  return {
    offered(turn) {
      const own = box.offered(turn);
      const { tools } = mcp;
      if (tools === undefined || !tools.isUsed()) return own;
      return [...own, ...tools.resources.map(({ spec }) => spec), ...tools.tools.offered()];
    },
    find(kind, name, namespace) {
      const own = box.find(kind, name, namespace);
      if (own !== undefined || kind !== "function") return own;
      const isCalledSo = ({ spec }: Tool) => spec.type === "function" && spec.name === name;
      return mcp.tools?.resources.find(isCalledSo) ?? mcp.tools?.tools.find(name, namespace);
    },
    close: () => box.close(),
  };
}
