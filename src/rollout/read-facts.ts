import { readHead } from "./head.js";
import { type ThreadFacts, toThreadFacts } from "./thread-facts.js";

/** What lists show of a rollout; nothing when the user has not said anything in it. */
export async function readThreadFacts(path: string): Promise<ThreadFacts | undefined> {
  return toThreadFacts(await readHead(path));
}
