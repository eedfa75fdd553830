import { readFileSync } from "node:fs";
import type { Environment } from "./request-target.js";

/** Inputs of the user agent. */
export interface UserAgentParts {
  originator: string;
  version: string;
  system: SystemInfo;
  env: Environment;
  /** The JSON-RPC client of this process, once it has initialized. */
  client?: { name: string; version: string };
}

/** Default originator. */
const defaultOriginator = "codex_cli_rs";

/** Returns the originator from the environment, else the default. */
export function originatorOf(env: Environment, usual = defaultOriginator): string {
  return givenOriginator(env) ?? usual;
}

/** Returns the originator from the environment; one that is not a valid header is ignored. */
export function givenOriginator(env: Environment): string | undefined {
  const override = env.CODEX_INTERNAL_ORIGINATOR_OVERRIDE;
  return override !== undefined && /^[\x20-\x7e]+$/.test(override) ? override : undefined;
}

/** Returns the `User-Agent` value: originator, system, terminal, client. */
export function userAgent({ originator, version, system, env, client }: UserAgentParts): string {
  const { name, version: release, arch } = system;
  const base = `${originator}/${version} (${name} ${release}; ${arch}) ${terminalName(env)}`;
  const suffix = client === undefined ? "" : ` (${client.name}; ${client.version})`;
  return cleanUserAgent(base + suffix);
}

/** Replaces characters that are invalid in a header by `_`. */
export function cleanUserAgent(line: string): string {
  return line.replace(/[^\x20-\x7e]/gu, "_");
}

/** Detects the terminal from its environment variables. */
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

/** The operating system, as named in the user agent. */
export interface SystemInfo {
  name: string;
  version: string;
  arch: string;
}

/** Reads the operating system's name and version; `unknown` if it does not report one. */
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
      // Not every distribution has both files.
    }
  }
  return { name: "Linux", version: "unknown" };
}

/** Parses name and version of an `os-release` file; versions have three numbers. */
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

/** Formats `22.04` as `22.4.0`. */
function toThreeNumbers(version: string | undefined): string {
  if (version === undefined || !/^\d+(\.\d+){0,2}$/.test(version)) return version || "unknown";
  const [major, minor = "0", patch = "0"] = version.split(".");
  return [major, minor, patch].map(Number).join(".");
}

/** The kernel version is ahead of the marketing version: Darwin 23 is macOS 14. */
function macVersion(release: string): string {
  const [major = 0, minor = 0] = release.split(".").map(Number);
  return major >= 20 ? `${major >= 25 ? major + 1 : major - 9}.${minor}.0` : release;
}
