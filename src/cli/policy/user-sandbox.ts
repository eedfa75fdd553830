import { homedir } from "node:os";
import { join } from "node:path";
import { type Config, type ConfigSources, loadConfig } from "../../config/index.js";
import { homeSecrets } from "../../protocol/home-secrets.js";
import { createSandbox, enforcedPolicy, type Sandbox } from "../../sandbox/index.js";

/** Creates the sandbox of the user's sessions, to ask what it permits. Close it afterwards. */
export function createUserSandbox(
  { home }: Pick<Config, "home">,
  env: ConfigSources["env"],
): Sandbox {
  return createSandbox({
    platform: process.platform,
    arch: process.arch,
    env,
    userHome: env.HOME ?? homedir(),
    agentHome: home,
    stateDir: join(home, "quire"),
    hidden: Object.values(homeSecrets).map((name) => join(home, name)),
  });
}

/** Files that a session could not read. */
export interface DeniedFiles {
  has(path: string): boolean;
  close(): void;
}

/** Finds the files that a session with these settings could not read; throws if the settings are invalid. */
export async function openDeniedFiles(sources: ConfigSources): Promise<DeniedFiles> {
  const config = await loadConfig(sources);
  const sandbox = createUserSandbox(config, sources.env);
  try {
    const guard = await sandbox.readGuard(enforcedPolicy(config), config.cwd);
    return { has: (path) => guard?.mayRead(path) === false, close: () => sandbox.close() };
  } catch (error) {
    sandbox.close();
    throw error;
  }
}
