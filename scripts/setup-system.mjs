// Sees to it that programs the tests need are there: `node scripts/setup-system.mjs [TOOL…]`.
// Installs what is missing where it may (root, with apt); else says what will not be tested. In CI
// (CI=true) a missing tool is a failure. Loads nothing more when nothing is missing.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const tools = {
  bubblewrap: {
    program: "bwrap",
    skipped: "everything that runs in the sandbox",
    // The sandbox itself looks nowhere else, whatever PATH says.
    places: ["/usr/bin", "/usr/local/bin", "/bin"],
  },
  tmux: { program: "tmux", skipped: "the terminal UI in a real terminal" },
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(tools, name));
if (unknown.length > 0) {
  console.error(`No such tool: ${unknown.join(", ")}. There are: ${Object.keys(tools).join(", ")}`);
  process.exit(2);
}
const wanted = (asked.length > 0 ? asked : ["bubblewrap"]).filter(isNeeded);
const missing = wanted.filter((name) => !isInstalled(name));
if (missing.length > 0) await provide(missing);

/** The sandbox of other systems comes with them. */
function isNeeded(name) {
  return name !== "bubblewrap" || process.platform === "linux";
}

function isInstalled(name) {
  const { program, places } = tools[name];
  const directories = places ?? (process.env.PATH ?? "").split(delimiter);
  return directories.some((directory) => existsSync(join(directory, program)));
}

async function provide(names) {
  if (canInstall()) await install(names);
  const absent = names.filter((name) => !isInstalled(name));
  for (const name of absent) {
    console.error(`\n*** ${name} is missing: ${tools[name].skipped} will NOT be tested. ***`);
  }
  if (absent.length === 0) return;
  console.error(`*** To install: sudo apt-get install ${absent.join(" ")} ***\n`);
  if (process.env.CI === "true") process.exit(1);
}

function canInstall() {
  return process.platform === "linux" && process.getuid() === 0 && existsSync("/usr/bin/apt-get");
}

async function install(names) {
  const { spawnSync } = await import("node:child_process");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...args) =>
    spawnSync("/usr/bin/apt-get", ["-qq", ...args], {
      env,
      stdio: ["ignore", "ignore", "inherit"],
    });
  console.error(`Installing ${names.join(" ")}`);
  const command = ["install", "--yes", "--no-install-recommends", ...names];
  // The lists of packages may be missing or old; only then they are fetched.
  if (apt(...command).status !== 0 && apt("update").status === 0) apt(...command);
}
