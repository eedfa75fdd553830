import { initialize } from "../../support/app-server.js";
import type { TestClient } from "../../support/server.js";

export { initialize, startAppServer } from "../../support/app-server.js";

/** Introduces a client, starts a conversation and listens to it; returns its id and file. */
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

/** A message of the user as v1 writes it. */
export function said(text: string): object[] {
  return [{ type: "text", data: { text } }];
}

/** The types of the events that a client has heard. */
export function eventsOf(client: TestClient): string[] {
  return client.heard.map(({ method }) => method.replace("codex/event/", ""));
}
