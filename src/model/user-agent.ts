import type { Environment } from "./choose-auth.js";
import type { SystemInfo } from "./system-info.js";

/** What a client calls itself towards the model's server. */
export interface UserAgentParts {
  originator: string;
  version: string;
  system: SystemInfo;
  env: Environment;
  /** The program that drives us over JSON-RPC, once it has introduced itself. */
  client?: { name: string; version: string };
}

/** The originator when nobody says otherwise. */
const defaultOriginator = "codex_cli_rs";

/** The originator by the environment, else the usual one. */
export function originatorOf(env: Environment, usual = defaultOriginator): string {
  return givenOriginator(env) ?? usual;
}

/** The originator that the environment asks for; one that no header can hold is ignored. */
export function givenOriginator(env: Environment): string | undefined {
  const override = env.CODEX_INTERNAL_ORIGINATOR_OVERRIDE;
  return override !== undefined && /^[\x20-\x7e]+$/.test(override) ? override : undefined;
}

/** The `User-Agent` line: who asks, on what system, in which terminal, on whose behalf. */
export function userAgent({ originator, version, system, env, client }: UserAgentParts): string {
  const { name, version: release, arch } = system;
  const base = `${originator}/${version} (${name} ${release}; ${arch}) ${terminalName(env)}`;
  const suffix = client === undefined ? "" : ` (${client.name}; ${client.version})`;
  return cleanUserAgent(base + suffix);
}

/** The line with everything a header cannot hold replaced by `_`. */
export function cleanUserAgent(line: string): string {
  return line.replace(/[^\x20-\x7e]/gu, "_");
}

/** The terminal by the marks that terminals leave in the environment. */
export function terminalName(env: Environment): string {
  return terminalMark(env).replace(/[^A-Za-z0-9\-_./]/gu, "_");
}

function terminalMark(env: Environment): string {
  const program = env.TERM_PROGRAM;
  if (program?.trim()) return withVersion(program, env.TERM_PROGRAM_VERSION);
  if (env.WEZTERM_VERSION !== undefined) return withVersion("WezTerm", env.WEZTERM_VERSION);
  if (env.KITTY_WINDOW_ID !== undefined || env.TERM?.includes("kitty")) return "kitty";
  if (env.ALACRITTY_SOCKET !== undefined || env.TERM === "alacritty") return "Alacritty";
  if (env.KONSOLE_VERSION !== undefined) return withVersion("Konsole", env.KONSOLE_VERSION);
  if (env.GNOME_TERMINAL_SCREEN !== undefined) return "gnome-terminal";
  if (env.VTE_VERSION !== undefined) return withVersion("VTE", env.VTE_VERSION);
  if (env.WT_SESSION !== undefined) return "WindowsTerminal";
  return env.TERM || "unknown";
}

function withVersion(name: string, version: string | undefined): string {
  return version?.trim() ? `${name}/${version}` : name;
}
