import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withFileLock } from "../../lib/file-lock.js";
import { followLinks, replaceFile } from "../../lib/replace-file.js";
import { findTrustedPlaces } from "../project/trust.js";
import { mayBring } from "../project/trust-gate.js";
import type { Config } from "./config.js";
import type { McpServer } from "./mcp-servers.js";

/** Servers that may be started, and a warning for each that may not. */
export interface StartableServers {
  servers: ReadonlyMap<string, McpServer>;
  warnings: string[];
}

/**
 * Returns the servers of the user, and those of the project that are unchanged since it was trusted.
 *
 * A server that the project adds or changes later is not started: a pull must not run new commands.
 */
export async function startableServers(config: Config): Promise<StartableServers> {
  const { servers, warnings } = await unchangedServers(config);
  return { servers: await confined(servers, config), warnings };
}

/** Denies to server programs what permission rules deny to commands outside of the sandbox. */
async function confined(
  servers: ReadonlyMap<string, McpServer>,
  { permissions, cwd }: Config,
): Promise<ReadonlyMap<string, McpServer>> {
  if (permissions === undefined || servers.size === 0) return servers;
  const { rulesOutside } = await import("../../protocol/rules-of-policy.js");
  const outside = rulesOutside(permissions);
  if (outside === undefined) return servers;
  const { id: _, extends: __, ...rules } = outside;
  return new Map(
    [...servers].map(([name, server]) => {
      const { transport } = server;
      if (transport.type !== "stdio") return [name, server];
      return [name, { ...server, transport: { ...transport, confinement: { rules, cwd } } }];
    }),
  );
}

async function unchangedServers(config: Config): Promise<StartableServers> {
  const { home, mcp_servers } = config;
  const trusted = trustedPath(config);
  if (trusted === undefined) return { servers: mcp_servers, warnings: [] };
  const file = knownServersFile(home);
  const ofProject = [...mcp_servers.values()].filter(({ fromProject }) => fromProject);
  const known = readKnown(file)[trusted];
  if (known === undefined) {
    const seen = Object.fromEntries(ofProject.map((server) => [server.name, fingerprint(server)]));
    await changeKnown(file, (all) => ({ ...all, [trusted]: all[trusted] ?? seen }));
    return { servers: mcp_servers, warnings: [] };
  }
  const changed = ofProject.filter(
    (server) => server.enabled && known[server.name] !== fingerprint(server),
  );
  const names = new Set(changed.map(({ name }) => name));
  return {
    servers: new Map([...mcp_servers].filter(([name]) => !names.has(name))),
    warnings: changed.map((server) => notStarted(server, { trusted, file, home })),
  };
}

/** Forgets the known servers of a project; call it when the user trusts the project again. */
export async function forgetServers(home: string, path: string): Promise<void> {
  const file = knownServersFile(home);
  if (readKnown(file)[path] === undefined) return;
  await changeKnown(file, ({ [path]: _, ...others }) => others);
}

/** Fingerprints of servers by trusted path and server name. */
type KnownServers = Record<string, Record<string, string>>;

function knownServersFile(home: string): string {
  return join(home, "quire", "project-servers.json");
}

/** Returns the trusted path of the working directory, if any. */
function trustedPath({ projects, project_root_markers, cwd }: Config): string | undefined {
  if (projects.size === 0) return undefined;
  const places = findTrustedPlaces((path) => projects.get(path), cwd, project_root_markers);
  const { level, path } = places.trustOf(cwd);
  return mayBring("mcpServers", level) ? path : undefined;
}

function fingerprint({ transport }: McpServer): string {
  return createHash("sha256").update(JSON.stringify(transport)).digest("hex");
}

/** Reads the known servers; a missing or broken file has none. */
function readKnown(file: string): KnownServers {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof value === "object" && value !== null ? (value as KnownServers) : {};
  } catch {
    return {};
  }
}

/** Updates the known servers; ignores write errors, as the next session checks again. */
async function changeKnown(
  file: string,
  change: (known: KnownServers) => KnownServers,
): Promise<void> {
  try {
    const target = await followLinks(file);
    await withFileLock(`${target}.lock`, patience, async () => {
      const text = JSON.stringify(change(readKnown(target)), undefined, 2);
      await replaceFile(target, `${text}\n`);
    });
  } catch {
    // A read-only home directory is reported where writing is essential.
  }
}

const patience = { sameHolderMs: 1_000, totalMs: 5_000 };

function notStarted(
  { name, transport }: McpServer,
  { trusted, file, home }: { trusted: string; file: string; home: string },
): string {
  const what =
    transport.type === "stdio" ? [transport.command, ...transport.args].join(" ") : transport.url;
  return (
    `MCP server ${name} is new or changed since you trusted ${trusted}, so it is not started. ` +
    `It runs: ${what}. To use it, copy it to ${join(home, "config.toml")}, or remove ${trusted} ` +
    `from ${file} to trust the current servers of the project.`
  );
}
