import { readFileSync } from "node:fs";

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
