import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The version of Bun whose runtime the executables contain. */
export const bunVersion = "1.4.4";

/** Targets of an executable: Bun's name of the target, and the digest of the package with its runtime. */
export const targets = {
  "linux-x64": {
    bun: "linux-x64",
    sha512:
      "CHbbkmHVM28T1GFq+6GL4Ao4ujwwYwj1CxFFwEFzLanPfNsId9AhbIP0Q4reWuWBkGimUkoQygrK7Rgjtj3vog==",
  },
  "linux-arm64": {
    bun: "linux-aarch64",
    sha512:
      "ZTVtpf9zmHSBVPX1sBwe5agGb/rN34yPGg/Hby8e2Ax2uCUA2URZKlZH7qLntK7qaFJCMXh9v0GWNYN2zINz1w==",
  },
  "linux-x64-musl": {
    bun: "linux-x64-musl",
    sha512:
      "lEEjNOJJrbGZu2NVcPI4uXdILcpspezWkA8R/Jr0RCGhM6zQd0Y7JBIIKNAmbX59EeWpeEz7Q78iLbpcAUypUA==",
  },
  "linux-arm64-musl": {
    bun: "linux-aarch64-musl",
    sha512:
      "QFd0P+mHJxbZFbUla4MgiE5OwxysHaUIYxL2pPNkpWtaI7v4ShOpr8OhBmsuyB0xn5rv/ZJnPsj2y8+bB9+g/A==",
  },
  "darwin-x64": {
    bun: "darwin-x64",
    sha512:
      "oKGcxLsvh4oHjAo28nPm8c/xN0o/OmGyj1IHYc94vprkWsW2hNg2keEZt5f40cI5Hvu4jDlSRTR0UNpv1UIAxw==",
  },
  "darwin-arm64": {
    bun: "darwin-aarch64",
    sha512:
      "zW/hxwc8sJAILGwB5eTC4i48ouGXf0V4lrxmEOk3JIE6JkYVW1TZh1E2pIempqsezgW1sckTIIDudFON8bJ2Mw==",
  },
};

/** Returns the target that this machine runs. */
export function ownTarget() {
  const libc = process.platform === "linux" && isMusl() ? "-musl" : "";
  return `${process.platform}-${process.arch}${libc}`;
}

/** glibc reports its version; musl has none. */
function isMusl() {
  return process.report.getReport().header.glibcVersionRuntime === undefined;
}

/** Returns the path of Bun for a target; fetches its package from the registry on first use. */
export function bunFor(target) {
  const { bun, sha512 } = targets[target];
  const caches = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  const folder = join(caches, "quire-build", `bun-${bun}-${bunVersion}`);
  const program = join(folder, "package/bin/bun");
  if (existsSync(program)) return program;
  mkdirSync(join(caches, "quire-build"), { recursive: true });
  const draft = mkdtempSync(`${folder}.`);
  try {
    const name = `@oven/bun-${bun}@${bunVersion}`;
    execFileSync("npm", ["pack", name, "--silent", "--pack-destination", draft], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    const [file = ""] = readdirSync(draft);
    const found = createHash("sha512")
      .update(readFileSync(join(draft, file)))
      .digest("base64");
    if (found !== sha512) {
      throw new Error(`The package ${name} has the digest ${found} (expected ${sha512})`);
    }
    execFileSync("tar", ["-xzf", join(draft, file), "-C", draft]);
    rmSync(join(draft, file));
    // Another build may have fetched it meanwhile.
    if (!existsSync(folder)) renameSync(draft, folder);
    return program;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
