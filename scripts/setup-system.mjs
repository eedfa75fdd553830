// Installs the system packages that tests and the demo need: `node scripts/setup-system.mjs [PACKAGE…]`.
//
// If a package is missing and this process may install it (root, with apt), prints one line with the
// packages, the reason and the way to prevent it, then installs them. `QUIRE_NO_SETUP=1` disables the
// installation. If a package is still missing, prints a warning with the remedy; with `CI=true` it exits
// with code 1. If nothing is missing, it prints nothing.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const packages = {
  bubblewrap: {
    program: "bwrap",
    purpose: "the sandbox",
    missing: "commands run without the sandbox, and its tests are SKIPPED",
    // The sandbox searches only these folders, whatever PATH contains.
    folders: ["/usr/bin", "/usr/local/bin", "/bin"],
  },
  tmux: {
    program: "tmux",
    purpose: "tests of the terminal UI",
    missing: "tests of the terminal UI in a real terminal are SKIPPED",
  },
  "nats-server": {
    program: "nats-server",
    purpose: "tests of fleets",
    missing: "tests of fleets on NATS are SKIPPED",
    // Debian installs it in a folder that is not in the PATH of all users.
    alsoIn: ["/usr/sbin"],
  },
  chromium: {
    program: "chromium",
    purpose: "tests of the browser UI",
    missing: "tests of the browser UI are SKIPPED",
    folders: ["/usr/bin"],
  },
};

const requested = process.argv.slice(2);
const unknown = requested.filter((name) => !Object.hasOwn(packages, name));
if (unknown.length > 0) {
  const known = Object.keys(packages).join(", ");
  console.error(`Unknown package: ${unknown.join(", ")} (expected ${known})`);
  process.exit(2);
}
const needed = (requested.length > 0 ? requested : ["bubblewrap"]).filter(isNeeded);
const missing = needed.filter((name) => !isInstalled(name));
if (missing.length > 0) await provide(missing);

/** Only Linux needs bubblewrap: the sandboxes of other systems are built in. */
function isNeeded(name) {
  return name !== "bubblewrap" || process.platform === "linux";
}

function isInstalled(name) {
  const { program, folders, alsoIn = [] } = packages[name];
  const searched = folders ?? [...(process.env.PATH ?? "").split(delimiter), ...alsoIn];
  return searched.some((folder) => existsSync(join(folder, program)));
}

async function provide(names) {
  if (canInstall()) await install(names);
  const absent = names.filter((name) => !isInstalled(name));
  for (const name of absent) {
    console.error(`\n*** ${name} is missing: ${packages[name].missing}. ***`);
  }
  if (absent.length === 0) return;
  console.error(`*** To install: sudo apt-get install ${absent.join(" ")} ***\n`);
  if (process.env.CI === "true") process.exit(1);
}

function canInstall() {
  if (process.env.QUIRE_NO_SETUP === "1") return false;
  return process.platform === "linux" && process.getuid() === 0 && existsSync(aptGet());
}

/** Tests pass their own `apt-get`. */
function aptGet() {
  return process.env.QUIRE_APT_GET ?? "/usr/bin/apt-get";
}

async function install(names) {
  const { spawnSync } = await import("node:child_process");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...args) =>
    spawnSync(aptGet(), ["-qq", ...args], { env, stdio: ["ignore", "ignore", "inherit"] });
  const reasons = names.map((name) => `${name} (${packages[name].purpose})`).join(" and ");
  console.error(`Installing ${reasons} with apt-get; set QUIRE_NO_SETUP=1 to prevent this`);
  const command = ["install", "--yes", "--no-install-recommends", ...names];
  // Fetches the package lists only if they are missing or outdated.
  if (apt(...command).status !== 0 && apt("update").status === 0) apt(...command);
}
