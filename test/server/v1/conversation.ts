import { initialize } from "../../support/app-server.js";
import type { TestClient } from "../../support/server.js";

export { initialize, startAppServer } from "../../support/app-server.js";

/** Initializes a client, starts a conversation and adds a listener; returns its id and file. */
export async function begin(
  client: TestClient,
  params: object = {},
): Promise<{ conversationId: string; rolloutPath: string }> {
  await initialize(client);
  const started = (await client.call("newConversation", params)) as {
    conversationId: string;
    rolloutPath: string;
  };
  await client.call("addConversationListener", { conversationId: started.conversationId });
  return started;
}

/** Returns a user message in the format of v1. */
export function userText(text: string): object[] {
  return [{ type: "text", data: { text } }];
}

/** Returns the types of the events that a client received. */
export function eventsOf(client: TestClient): string[] {
  return client.heard.map(({ method }) => method.replace("codex/event/", ""));
}
