import { join } from "node:path";
import { isUuid } from "./file-name.js";
import { rolloutDay } from "./path.js";
import { filesOf, type RolloutFile, rolloutFolder, walkRollouts } from "./walk.js";

/** The rollout of a conversation by its id; nothing when there is none or it is no id. */
export async function findRollout(
  home: string,
  id: string,
  { archived = false }: { archived?: boolean } = {},
): Promise<string | undefined> {
  if (!isUuid(id)) return undefined;
  const wanted = id.toLowerCase();
  const matches = (file: RolloutFile) => file.id === wanted;
  if (!archived) {
    for (const day of likelyDays(wanted)) {
      const files = await filesOf(join(rolloutFolder(home, false), day));
      const found = files.find(matches);
      if (found !== undefined) return found.path;
    }
  }
  for await (const file of walkRollouts(home, archived)) if (matches(file)) return file.path;
  return undefined;
}

/** Newer ids say when they were made, which spares the walk; the time zone may have changed since. */
function likelyDays(id: string): string[] {
  if (id[14] !== "7") return [];
  const ms = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  const day = 24 * 60 * 60 * 1000;
  return [ms, ms - day, ms + day].map((time) => rolloutDay(new Date(time)));
}
