import { dirname, join } from "node:path";

/** Folders and port of one run: the values of the placeholders with those names. */
export interface Places {
  workspace: string;
  codexHome: string;
  home: string;
  port: number;
}

/** Writes the places of this run into a text; other placeholders stay. */
export function fillPlaces(text: string, places: Places): string {
  if (!text.includes("<") && !text.includes("{{")) return text;
  return text
    .replaceAll("<WORKSPACE>", places.workspace)
    .replaceAll("<CODEX_HOME>", places.codexHome)
    .replaceAll("<HOME>", places.home)
    .replaceAll("<PORT>", String(places.port))
    .replaceAll("{{WS}}", places.workspace)
    .replaceAll("{{CODEX_HOME}}", places.codexHome)
    .replaceAll("{{HOME}}", places.home)
    .replaceAll("{{PORT}}", String(places.port))
    .replaceAll("{{NODE}}", process.execPath)
    .replaceAll(/\{\{PEER\}\}|<PEER>/g, join(dirname(places.codexHome), "peer"));
}
