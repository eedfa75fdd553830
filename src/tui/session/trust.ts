import type { AppServerClient } from "../../client/index.js";
import type { Ui } from "../ui.js";

interface TrustConfig {
  projects?: Record<string, { trust_level?: string } | undefined> | null;
}

/**
 * Asks once per folder whether it is trusted, and saves the answer.
 *
 * Resolves with false if the user quits. Skipped if the server cannot read the config.
 */
export async function askTrust(ui: Ui, server: AppServerClient, folder: string): Promise<boolean> {
  const answer = await server.request("config/read", { cwd: folder }).catch(() => undefined);
  if (answer === undefined || isKnown(answer.config, folder)) return true;
  const level = await ui.pick({
    title: `Do you trust the files in ${folder}?`,
    text: "Project files can contain instructions for the agent, including malicious ones. Read-only commands such as ls, cat and rg always run without approval.",
    choices: [
      {
        value: "trusted",
        label: "Yes",
        description: "edit files and run commands in the sandbox; ask for anything else",
      },
      {
        value: "untrusted",
        label: "No",
        description: "ask before every command that is not read-only",
      },
      { value: undefined, label: "Quit" },
    ],
  });
  if (level === undefined) return false;
  const keyPath = `projects.${JSON.stringify(folder)}.trust_level`;
  await server
    .request("config/value/write", { keyPath, value: level, mergeStrategy: "upsert" })
    .catch(() => undefined); // asked again next time
  return true;
}

/**
 * Returns whether the folder or a parent has a trust level; a parent is the root of the same
 * project.
 */
function isKnown({ projects }: TrustConfig, folder: string): boolean {
  return Object.entries(projects ?? {}).some(
    ([path, project]) =>
      project?.trust_level !== undefined && (folder === path || folder.startsWith(`${path}/`)),
  );
}
