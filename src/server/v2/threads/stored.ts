import { realpath, stat } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { CodexError } from "../../../protocol/error.js";
import {
  findRollout,
  readThreadFacts,
  readThreadNames,
  type ThreadFacts,
} from "../../../rollout/index.js";
import type { Server } from "../../server.js";

/** What the file of a thread tells of it. */
export interface StoredThread {
  path: string;
  /** Absent while the user has said nothing in it. */
  facts: ThreadFacts | undefined;
  updatedAtMs: number;
  name: string | undefined;
}

/** Reads what the file of a thread tells; nothing when there is no such file. */
export async function readStored(
  { home }: Server,
  id: string,
  path: string,
): Promise<StoredThread | undefined> {
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined) return undefined;
  const [facts, names] = await Promise.all([readThreadFacts(path), readThreadNames(home)]);
  return { path, facts, updatedAtMs: stats.mtimeMs, name: names.get(id) };
}

/** The file of a thread among those that are in use; throws when there is none. */
export async function findFile({ home }: Server, id: string): Promise<string> {
  const path = await findRollout(home, id);
  if (path !== undefined) return path;
  throw new CodexError("not_found", `no rollout found for thread id ${id}`, { data: { id } });
}

/** The file of a thread that was put away; throws when there is none. */
export async function findArchivedFile({ home }: Server, id: string): Promise<string> {
  const path = await findRollout(home, id, { archived: true });
  if (path !== undefined) return path;
  const message = `no archived rollout found for thread id ${id}`;
  throw new CodexError("not_found", message, { data: { id } });
}

/** The file of a thread, in use or put away; nothing when there is none. */
export async function findAnyFile({ home }: Server, id: string): Promise<string | undefined> {
  return (await findRollout(home, id)) ?? (await findRollout(home, id, { archived: true }));
}

/** The file that a client names, from the folder of the server if need be; throws without one. */
export async function resolveFile({ parts }: Server, path: string): Promise<string> {
  const full = isAbsolute(path) ? path : resolve(parts.cwd, path);
  try {
    return await realpath(full);
  } catch {
    const message = `failed to resolve rollout path \`${path}\`: file does not exist`;
    throw new CodexError("not_found", message, { data: { path } });
  }
}
