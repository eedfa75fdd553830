import { randomUUID } from "node:crypto";
import { forkConversation, rolloutPath, writeForkFile } from "../../src/rollout/index.js";
import type { Place } from "./settings.js";

/** Copies a conversation up to a message of the user, counted from 0; returns the path of the copy. */
export async function forkRollout(
  path: string,
  nthUserMessage: number,
  { home }: Pick<Place, "home">,
): Promise<string> {
  const point = { type: "before_user_message", index: nthUserMessage } as const;
  const fork = await forkConversation(path, point);
  const id = randomUUID();
  const copy = rolloutPath(home, new Date(), id);
  const meta = { ...fork.conversation.meta, id, timestamp: new Date().toISOString() };
  await writeForkFile(fork, { path: copy, meta, now: Date.now });
  return copy;
}
