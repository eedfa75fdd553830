import { serveAppServer } from "../../../src/server/app-server/serve.js";
import {
  startTestServer,
  type TestClient,
  type TestServer,
  type TestServerOptions,
} from "../../support/server.js";

/** Starts an app-server on a scripted model. */
export function startAppServer(
  options: Omit<TestServerOptions, "serve"> = {},
): Promise<TestServer> {
  return startTestServer({ ...options, serve: serveAppServer });
}

/** Introduces a client, starts a conversation and listens to it; returns its id and file. */
export async function begin(
  client: TestClient,
  params: object = {},
): Promise<{ conversationId: string; rolloutPath: string }> {
  await introduce(client);
  const started = (await client.call("newConversation", params)) as {
    conversationId: string;
    rolloutPath: string;
  };
  await client.call("addConversationListener", { conversationId: started.conversationId });
  return started;
}

/** Says who the client is. */
export async function introduce(client: TestClient): Promise<void> {
  await client.call("initialize", { clientInfo: { name: "test", version: "1.0" } });
}

/** A message of the user as v1 writes it. */
export function said(text: string): object[] {
  return [{ type: "text", data: { text } }];
}

/** The types of the events that a client has heard. */
export function eventsOf(client: TestClient): string[] {
  return client.heard.map(({ method }) => method.replace("codex/event/", ""));
}
