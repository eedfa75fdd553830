import type { ThreadItem } from "../../../src/protocol/rpc/v2/item.js";
import type { Thread } from "../../../src/protocol/rpc/v2/thread.js";
import type { ThreadResumeResponse } from "../../../src/protocol/rpc/v2/thread-start.js";
import type { Turn } from "../../../src/protocol/rpc/v2/turn.js";
import type { TestClient } from "../../support/server.js";
import { say } from "./thread.js";

/** Response to a request that starts or reads a thread. */
export type Opened = ThreadResumeResponse & { thread: Thread };

/** A page of any list. */
export interface Page<Item> {
  data: Item[];
  nextCursor: string | null;
  backwardsCursor: string | null;
}

/** Sends a message and waits for the end of its turn; returns the turn. */
export async function talk(client: TestClient, threadId: string, text: string): Promise<string> {
  const turnId = await say(client, threadId, text);
  await client.until("turn/completed");
  return turnId;
}

/** Returns short texts of the items of turns. */
export function texts(turns: readonly Turn[]): string[][] {
  return turns.map(({ items }) => items.map(textOf));
}

/** Returns a short text of an item. */
export function textOf(item: ThreadItem): string {
  switch (item.type) {
    case "userMessage":
      return item.content.map((part) => (part.type === "text" ? part.text : part.type)).join("");
    case "agentMessage":
    case "plan":
      return item.text;
    case "commandExecution":
      return `$ ${item.command}`;
    default:
      return item.type;
  }
}
