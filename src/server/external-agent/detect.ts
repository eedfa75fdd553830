import { existsSync } from "node:fs";
import type {
  ExternalAgentDetails,
  ExternalAgentItem,
  ExternalAgentWrite,
} from "../../protocol/rpc/v2/external-agent.js";
import { planAgents, planCommands, planInstructions, planSkills } from "./documents.js";
import { planHooks } from "./hooks.js";
import { planMcpServers } from "./mcp-servers.js";
import type { ImportPlaces, KnownNames, PlannedItem, PlannedWrite } from "./plan.js";
import { planSettings } from "./settings.js";

/** Finds the settings of Claude Code in one place. Reads files, and writes nothing. */
export function planImport(places: ImportPlaces, known: KnownNames): PlannedItem[] {
  return [
    planInstructions(places),
    planSettings(places, known.variables),
    planCommands(places),
    planAgents(places),
    planSkills(places),
    planMcpServers(places, known.servers),
    planHooks(places),
  ].filter((item) => item !== undefined);
}

/** Converts an item for clients. */
export function toWireItem(item: PlannedItem): ExternalAgentItem {
  const { type: itemType, cwd, description, writes, skipped } = item;
  return {
    itemType,
    description,
    cwd: cwd ?? null,
    details: detailsOf(item),
    writes: writes.map(toWireWrite),
    skipped: [...skipped],
  };
}

function toWireWrite(write: PlannedWrite): ExternalAgentWrite {
  const { path } = write;
  if ("text" in write) return { path, isNew: true, text: write.text };
  if ("copyFrom" in write) return { path, isNew: true, text: `Copy of ${write.copyFrom}` };
  const text = write.edits.map((edit) => `${edit.path.join(".")} = ${shown(edit.value)}`);
  return { path, isNew: !existsSync(path), text: text.join("\n") };
}

/** Shows a value without secrets: values of variables and headers are not shown. */
function shown(value: unknown): string {
  const hidden = new Set(["env", "http_headers"]);
  return JSON.stringify(value, (key, inner: unknown) =>
    hidden.has(key) && typeof inner === "object" && inner !== null
      ? Object.fromEntries(Object.keys(inner).map((name) => [name, "…"]))
      : inner,
  );
}

function detailsOf({ type, names }: PlannedItem): ExternalAgentDetails {
  const list = names.map((name) => ({ name }));
  if (type === "COMMANDS") return { commands: list };
  if (type === "HOOKS") return { hooks: list };
  if (type === "MCP_SERVER_CONFIG") return { mcpServers: list };
  if (type === "SKILLS") return { skills: list };
  return type === "SUBAGENTS" ? { subagents: list } : {};
}
