import { foldersSinceMarker } from "../../lib/folders-up.js";
import type { SessionIo, ThreadSettings } from "../options/session-request.js";
import { UsageError } from "../usage-error.js";
import type { ExecValues } from "./exec-options.js";

/**
 * Refuses to work where a mistake of the model could not be undone.
 *
 * That is everywhere outside of a Git repository, unless the user trusts the folder.
 */
export async function requireRepository(
  values: ExecValues,
  { cwd }: ThreadSettings,
  io: SessionIo,
): Promise<void> {
  if (values["skip-git-repo-check"] || values["dangerously-bypass-approvals-and-sandbox"]) return;
  if (foldersSinceMarker(cwd, [".git"]) !== undefined) return;
  const { loadConfig } = await import("../../config/index.js");
  const { trust_level } = await loadConfig({ ...io, cwd });
  if (trust_level === "trusted") return;
  throw new UsageError(
    "Not inside a trusted directory and --skip-git-repo-check was not specified.",
  );
}
