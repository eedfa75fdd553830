import { systemClock } from "../../../src/lib/clock.js";
import { HttpTransport } from "../../../src/model/http.js";
import type { LoweredClientOptions } from "../../../src/model/lowered/client-options.js";
import { scriptedProvider } from "../../../src/model/scripted/index.js";
import type { ModelClient, ModelProvider, Prompt, StreamItem } from "../../../src/model/types.js";
import { askAll, behaviorOf, promptOf } from "../../support/model.js";
import { type ChatAnswer, type ChatRequest, startChatServer } from "../chat/chat-server.js";

/** A client of one API, and the settings of its provider. */
export interface ClientUnderTest {
  create(options: LoweredClientOptions): ModelClient;
  provider: Pick<ModelProvider, "wire_api"> & Partial<ModelProvider>;
}

/** Sends one prompt to a server with one answer; returns the items after its acceptance, and the request. */
export async function askOnce(
  client: ClientUnderTest,
  answer: ChatAnswer,
  prompt: Partial<Prompt> = {},
): Promise<{ items: StreamItem[]; request: ChatRequest; provider: ModelProvider }> {
  await using server = await startChatServer([answer]);
  const { items, provider } = await askServer(client, server.baseUrl, prompt);
  const [request] = server.requests;
  if (request === undefined) throw new Error("There was no request");
  return { items, request, provider };
}

/** Sends one prompt to a server; returns the items after its acceptance. */
export async function askServer(
  { create, provider }: ClientUnderTest,
  baseUrl: string,
  prompt: Partial<Prompt> = {},
): Promise<{ items: StreamItem[]; provider: ModelProvider }> {
  let ids = 0;
  const whole = {
    ...scriptedProvider,
    request_max_retries: 0,
    env_key: "THE_KEY",
    ...provider,
    base_url: baseUrl,
  };
  const env = { THE_KEY: "k" };
  const client = create({
    provider: whole,
    behavior: behaviorOf("current"),
    transport: new HttpTransport(env),
    originator: "quire",
    userAgent: "test",
    env,
    clock: systemClock,
    random: () => 0.5,
    newId: () => String(++ids),
  });
  const items = await askAll(client, promptOf(prompt));
  client.close();
  return { items: items.filter(({ type }) => type !== "accepted"), provider: whole };
}
