import { join } from "node:path";
import type { McpServerToml } from "../../config/index.js";
import { isRecord } from "../../protocol/read/check.js";
import { readJsonObject } from "./claude-files.js";
import { Draft, type ImportPlaces, type PlannedItem } from "./plan.js";

/**
 * Plans the import of MCP servers into the user's config.
 *
 * Those of a project are added there too: a project's own file cannot name secrets. `known` has the
 * names of servers that are configured already.
 */
export function planMcpServers(
  places: ImportPlaces,
  known: ReadonlySet<string>,
): PlannedItem | undefined {
  const { userHome, home, cwd } = places;
  const path = join(home, "config.toml");
  const draft = new Draft(places);
  for (const { source, servers } of listsOf(userHome, cwd)) {
    for (const [name, value] of Object.entries(servers)) {
      const server = toServer(value);
      if (known.has(name) || draft.names.includes(name)) draft.skip(name, "it exists already");
      else if (!/^[\w-]+$/.test(name))
        draft.skip(name, "its name has other signs than a-z, 0-9, _, -");
      else if (typeof server === "string") draft.skip(name, server);
      else {
        draft.names.push(name);
        draft.writes.push({
          source,
          path,
          edits: [{ path: ["mcp_servers", name], value: server }],
        });
      }
    }
  }
  const from = cwd === undefined ? join(userHome, ".claude.json") : cwd;
  return draft.item("MCP_SERVER_CONFIG", `MCP servers of ${from}`);
}

type ServerList = { source: string; servers: Readonly<Record<string, unknown>> };

function listsOf(userHome: string, cwd: string | undefined): ServerList[] {
  const own = join(userHome, ".claude.json");
  const settings = readJsonObject(own, userHome);
  const read = (source: string, value: unknown): ServerList[] =>
    isRecord(value) ? [{ source, servers: value }] : [];
  if (cwd === undefined) return read(own, settings?.mcpServers);
  const projects = isRecord(settings?.projects) ? settings.projects : {};
  const ofUser = isRecord(projects[cwd]) ? projects[cwd].mcpServers : undefined;
  const shared = join(cwd, ".mcp.json");
  return [...read(own, ofUser), ...read(shared, readJsonObject(shared, cwd)?.mcpServers)];
}

/** Converts a server; returns the reason if there is no equivalent. */
function toServer(value: unknown): McpServerToml | string {
  if (!isRecord(value)) return "it is not an object";
  if (typeof value.command === "string") return toStdio(value, value.command);
  if (typeof value.url !== "string") return "it has neither `command` nor `url`";
  if (value.type === "sse")
    return "its transport sse is not supported; servers of it mostly have streamable HTTP too";
  return toHttp(value, value.url);
}

function toStdio(
  { args, env }: Readonly<Record<string, unknown>>,
  command: string,
): McpServerToml | string {
  const words = Array.isArray(args) ? args.map(String) : [];
  if ([command, ...words].some((word) => word.includes("${"))) {
    return "variables in `command` and `args` are not expanded here";
  }
  const { fixed, inherited, problem } = readVariables(env);
  if (problem !== undefined) return problem;
  return {
    command,
    ...(words.length > 0 && { args: words }),
    ...(inherited.length > 0 && { env_vars: inherited }),
    ...(Object.keys(fixed).length > 0 && { env: fixed }),
  };
}

function toHttp(
  { headers }: Readonly<Record<string, unknown>>,
  url: string,
): McpServerToml | string {
  if (url.includes("${")) return "variables in `url` are not expanded here";
  const fixed: Record<string, string> = {};
  const inherited: Record<string, string> = {};
  let token: string | undefined;
  for (const [name, value] of Object.entries(isRecord(headers) ? headers : {})) {
    const text = String(value);
    const bearer = /^Bearer \$\{(\w+)\}$/.exec(text)?.[1];
    const variable = /^\$\{(\w+)\}$/.exec(text)?.[1];
    if (bearer !== undefined && name.toLowerCase() === "authorization") token = bearer;
    else if (variable !== undefined) inherited[name] = variable;
    else if (text.includes("${"))
      return `variables inside of the header ${name} are not expanded here`;
    else fixed[name] = text;
  }
  return {
    url,
    ...(token !== undefined && { bearer_token_env_var: token }),
    ...(Object.keys(fixed).length > 0 && { http_headers: fixed }),
    ...(Object.keys(inherited).length > 0 && { env_http_headers: inherited }),
  };
}

/** Separates fixed values from variables that are inherited: `"TOKEN": "${TOKEN}"`. */
function readVariables(env: unknown) {
  const fixed: Record<string, string> = {};
  const inherited: string[] = [];
  let problem: string | undefined;
  for (const [name, value] of Object.entries(isRecord(env) ? env : {})) {
    const text = String(value);
    if (text === `\${${name}}`) inherited.push(name);
    else if (text.includes("${")) problem = `its variable ${name} has the value of another one`;
    else fixed[name] = text;
  }
  return { fixed, inherited, problem };
}
