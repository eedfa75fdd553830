import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withFileLock } from "../../lib/file-lock.js";
import { followLinks, replaceFile } from "../../lib/replace-file.js";
import { findTrustedPlaces } from "../project/trust.js";
import { mayBring } from "../project/trust-gate.js";
import type { Config } from "./config.js";
import type { McpServer } from "./mcp-servers.js";

/** The servers that may be started, and a word about each that may not. */
export interface StartableServers {
  servers: ReadonlyMap<string, McpServer>;
  warnings: string[];
}

/**
 * The user's own servers, and those of the project as they were when the user gave it trust.
 *
 * Trust covers what was there to be looked at. A server that the project names later, or whose
 * command it changes, is not started: a pull must not run something on this machine.
 */
export async function startableServers(config: Config): Promise<StartableServers> {
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

/** Forgets what was known of a project's servers; to be called when the user gives it trust anew. */
export async function forgetServers(home: string, path: string): Promise<void> {
  const file = knownServersFile(home);
  if (readKnown(file)[path] === undefined) return;
  await changeKnown(file, ({ [path]: _, ...others }) => others);
}

/** Fingerprints of servers by their names, by the path that the user trusts. */
type KnownServers = Record<string, Record<string, string>>;

function knownServersFile(home: string): string {
  return join(home, "quire", "project-servers.json");
}

/** The path that the user has said to trust, if that covers the working folder. */
function trustedPath({ projects, project_root_markers, cwd }: Config): string | undefined {
  if (projects.size === 0) return undefined;
  const places = findTrustedPlaces((path) => projects.get(path), cwd, project_root_markers);
  const { level, path } = places.trustOf(cwd);
  return mayBring("mcpServers", level) ? path : undefined;
}

function fingerprint({ transport }: McpServer): string {
  return createHash("sha256").update(JSON.stringify(transport)).digest("hex");
}

/** A list that is missing or broken knows nothing. */
function readKnown(file: string): KnownServers {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof value === "object" && value !== null ? (value as KnownServers) : {};
  } catch {
    return {};
  }
}

/** Where nothing can be written the user is none the worse: the next session looks again. */
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
    // A home that cannot be written is told of by those who write what cannot be done without.
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
    `The MCP server ${name} is new or has been changed since you gave trust to ${trusted}, so it ` +
    `is not started. It is now: ${what}. If you want it, copy it to ${join(home, "config.toml")}, ` +
    `or take ${trusted} out of ${file} to trust all servers of the project as they are now.`
  );
}
