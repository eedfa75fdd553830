import type { CommandContext } from "../commands/command.js";
import { everySource, namedThread, pickThread } from "../commands/pick-thread.js";
import type { FirstThread } from "./options.js";

/** Opens the first thread; resolves with false if the user picked none. */
export async function openFirst(context: CommandContext, first: FirstThread): Promise<boolean> {
  const { session } = context;
  if (first.kind === "new") {
    await session.start();
    return true;
  }
  const id =
    first.id === undefined
      ? await findThread(context, first)
      : await namedThread(context, first.id);
  if (id === undefined) return false;
  if (first.kind === "fork") await session.fork(id);
  else await session.resume(id);
  return true;
}

async function findThread(
  context: CommandContext,
  first: { isLast?: boolean; isEverywhere?: boolean; hasAllSources?: boolean },
): Promise<string | undefined> {
  const { isLast, isEverywhere = false, hasAllSources = false } = first;
  if (!isLast) return pickThread(context, { isEverywhere, hasAllSources });
  const place = isEverywhere ? {} : { cwd: context.ui.cwd };
  const sources = hasAllSources ? { sourceKinds: everySource } : {};
  const params = { limit: 1, sortKey: "updated_at" as const, ...place, ...sources };
  const { data } = await context.server.request("thread/list", params);
  if (data[0] === undefined)
    throw new Error("There is no earlier session in this folder. Use --all to look in all folders");
  return data[0].id;
}
