import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  type Config,
  type ConfigSources,
  editUserConfig,
  loadConfig,
  type TrustLevel,
} from "../../../src/config/index.js";

/** A separate machine: a home, a directory for projects, and system-wide files. */
export interface TestHome extends AsyncDisposable {
  root: string;
  /** Home directory of the config. */
  home: string;
  /** Sources of the config. */
  sources: ConfigSources;
  path(name: string): string;
  write(name: string, text: string): Promise<string>;
  read(name: string): Promise<string>;
  load(more?: Partial<ConfigSources>): Promise<Config>;
}

/** Makes such a machine; files are named from its root, the user's settings being `home/config.toml`. */
export async function createTestHome(files: Record<string, string> = {}): Promise<TestHome> {
  const root = await mkdtemp(join(tmpdir(), "quire-config-"));
  const home = join(root, "home");
  const path = (name: string) => join(root, name);
  await Promise.all(["home", "work"].map((name) => mkdir(path(name))));
  const sources: ConfigSources = {
    env: { HOME: root, CODEX_HOME: home },
    cwd: path("work"),
    systemFolder: path("etc"),
  };
  const test: TestHome = {
    root,
    home,
    sources,
    path,
    async write(name, text) {
      await mkdir(dirname(path(name)), { recursive: true });
      await writeFile(path(name), text);
      return path(name);
    },
    read: (name) => readFile(path(name), "utf8"),
    load: (more) => loadConfig({ ...sources, ...more }),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
  for (const [name, text] of Object.entries(files)) await test.write(name, text);
  return test;
}

/** Returns the TOML that sets the trust level of a directory. */
export function trusts(folder: string, level = "trusted"): string {
  return `[projects.${JSON.stringify(folder)}]\ntrust_level = "${level}"\n`;
}

/** Saves a trust level in the user's file, as a client does. */
export async function setTrust(home: string, folder: string, level: TrustLevel): Promise<void> {
  await editUserConfig(home, [{ path: ["projects", folder, "trust_level"], value: level }]);
}
