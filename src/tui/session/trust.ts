import type { AppServerClient } from "../../client/index.js";
import type { Ui } from "../ui.js";

interface TrustConfig {
  projects?: Record<string, { trust_level?: string } | undefined> | null;
}

/**
 * Asks once for a new folder whether its contents are trusted, and remembers the answer.
 *
 * Says whether to go on. A server that cannot say what is known is not argued with.
 */
export async function askTrust(ui: Ui, server: AppServerClient, folder: string): Promise<boolean> {
  const answer = await server.request("config/read", { cwd: folder }).catch(() => undefined);
  if (answer === undefined || isKnown(answer.config, folder)) return true;
  const level = await ui.pick({
    title: `Do you trust the files in ${folder}?`,
    text: "Files of a project can contain instructions for the agent, also harmful ones. Commands that only read, such as ls, cat and rg, run without approval in any case.",
    choices: [
      {
        value: "trusted",
        label: "Yes",
        description: "edit files and run commands in the sandbox; ask for more",
      },
      {
        value: "untrusted",
        label: "No",
        description: "ask before every command that does more than read",
      },
      { value: undefined, label: "Quit" },
    ],
  });
  if (level === undefined) return false;
  const keyPath = `projects.${JSON.stringify(folder)}.trust_level`;
  await server
    .request("config/value/write", { keyPath, value: level, mergeStrategy: "upsert" })
    .catch(() => undefined); // it is asked again next time
  return true;
}

/** A folder above it that is known counts as well: it is the root of the same project. */
function isKnown({ projects }: TrustConfig, folder: string): boolean {
  return Object.entries(projects ?? {}).some(
    ([path, project]) =>
      project?.trust_level !== undefined && (folder === path || folder.startsWith(`${path}/`)),
  );
}
