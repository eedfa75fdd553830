import { readFileSync } from "node:fs";
import type { Environment } from "./request-target.js";

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

/** The system this program runs on, as the user agent names it. */
export interface SystemInfo {
  name: string;
  version: string;
  arch: string;
}

/** Reads which system this is; `unknown` stands for what it does not tell. */
export async function readSystemInfo(): Promise<SystemInfo> {
  const { release } = await import("node:os");
  const arch = archNames[process.arch] ?? process.arch;
  switch (process.platform) {
    case "linux":
      return { ...readDistribution(), arch };
    case "darwin":
      return { name: "Mac OS", version: macVersion(release()), arch: process.arch };
    case "win32":
      return { name: "Windows", version: release(), arch };
    default:
      return { name: process.platform, version: release(), arch };
  }
}

const archNames: Partial<Record<string, string>> = {
  x64: "x86_64",
  arm64: "aarch64",
  ia32: "i386",
};

function readDistribution(): { name: string; version: string } {
  for (const path of ["/etc/os-release", "/usr/lib/os-release"]) {
    try {
      return parseOsRelease(readFileSync(path, "utf8"));
    } catch {
      // not every distribution has both files
    }
  }
  return { name: "Linux", version: "unknown" };
}

/** The name and version in the text of an `os-release` file; versions have three numbers. */
export function parseOsRelease(text: string): { name: string; version: string } {
  const values = new Map<string, string>();
  for (const line of text.split("\n")) {
    const match = /^([A-Z_]+)=(?:"(.*)"|'(.*)'|(.*))$/.exec(line.trim());
    if (match?.[1] !== undefined) values.set(match[1], match[2] ?? match[3] ?? match[4] ?? "");
  }
  const id = values.get("ID");
  const name = distributionNames[id ?? ""] ?? values.get("NAME")?.split(" ")[0] ?? "Linux";
  return { name, version: toThreeNumbers(values.get("VERSION_ID")) };
}

const distributionNames: Partial<Record<string, string>> = {
  debian: "Debian",
  ubuntu: "Ubuntu",
  fedora: "Fedora",
  arch: "Arch Linux",
  alpine: "Alpine Linux",
};

/** `22.04` is told as `22.4.0`. */
function toThreeNumbers(version: string | undefined): string {
  if (version === undefined || !/^\d+(\.\d+){0,2}$/.test(version)) return version || "unknown";
  const [major, minor = "0", patch = "0"] = version.split(".");
  return [major, minor, patch].map(Number).join(".");
}

/** The kernel's release runs ahead of the name users know: Darwin 23 is macOS 14. */
function macVersion(release: string): string {
  const [major = 0, minor = 0] = release.split(".").map(Number);
  return major >= 20 ? `${major >= 25 ? major + 1 : major - 9}.${minor}.0` : release;
}
