import { readlinkSync } from "node:fs";
import { entryAt, isWithin, realPathOf } from "../paths.js";

/** Directories and files that programs need to start, by platform. */
const paths: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: [
    "/usr",
    "/bin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/run/current-system/sw",
    "/sbin",
    ...[
      "alternatives",
      "bash.bashrc",
      "ca-certificates",
      "ca-certificates.conf",
      "crypto-policies",
      "debian_version",
      "environment",
      "fonts",
      "gai.conf",
      "gitconfig",
      "group",
      "host.conf",
      "hostname",
      "hosts",
      "inputrc",
      "ld.so.cache",
      "ld.so.conf",
      "ld.so.conf.d",
      "locale.alias",
      "locale.conf",
      "localtime",
      "magic",
      "mime.types",
      "nsswitch.conf",
      "os-release",
      "passwd",
      "pki",
      "profile",
      "profile.d",
      "protocols",
      "resolv.conf",
      "services",
      "shells",
      "ssl",
      "static",
      "terminfo",
      "timezone",
      "zsh",
    ].map((name) => `/etc/${name}`),
  ],
  darwin: [
    "/System",
    "/Library/Apple",
    "/Library/Developer/CommandLineTools",
    "/Library/Preferences/com.apple.networkd.plist",
    "/bin",
    "/dev",
    "/opt/homebrew",
    "/private/etc",
    "/private/var/db/dyld",
    "/private/var/db/timezone",
    "/private/var/select",
    "/sbin",
    "/usr",
  ],
};

/** System files that are readable under every profile. */
export interface SystemFiles {
  /** Existing ones by their real paths; on macOS all, as the profile may name missing ones. */
  paths: string[];
  /** Links such as `/bin`, with their targets. */
  links: { path: string; target: string }[];
}

/** Finds the system files that commands need. */
export function findSystemFiles(platform: NodeJS.Platform): SystemFiles {
  const wanted = paths[platform] ?? [];
  if (platform !== "linux") return { paths: [...wanted], links: [] };
  const found: SystemFiles = { paths: [], links: [] };
  for (const path of wanted) {
    const isLink = entryAt(path)?.isSymbolicLink() === true;
    const real = realPathOf(path);
    if (real === undefined) continue;
    if (isLink) found.links.push({ path, target: isTopLevel(path) ? readlinkSync(path) : real });
    else found.paths.push(path);
    // The target of a link may be anywhere, as that of `/etc/resolv.conf` in `/run`.
    if (isLink && !found.paths.some((parent) => isWithin(real, parent))) found.paths.push(real);
  }
  return found;
}

function isTopLevel(path: string): boolean {
  return path.lastIndexOf("/") === 0;
}
