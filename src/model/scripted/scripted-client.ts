import { eraNamed, type ModelBehavior } from "../../compat/index.js";
import { type Clock, systemClock } from "../../lib/clock.js";
import { ResponsesClient } from "../responses-client.js";
import type { ModelAuthSource, ModelClient, ModelProvider } from "../types.js";
import type { Script } from "./script.js";
import { type ScriptedRequest, ScriptedTransport } from "./scripted-transport.js";

/** What a scripted client may be told; it needs none of it. */
export interface ScriptedClientOptions {
  dialect?: ModelBehavior;
  /** Settings of the provider it stands for, such as how often requests are retried. */
  provider?: Partial<ModelProvider>;
  clock?: Clock;
  /** The login that requests are made with; none when absent. */
  auth?: ModelAuthSource;
  random?: () => number;
  /** False: requests are answered and forgotten, for sessions that go on for long. */
  record?: boolean;
}

/** A model that follows a script, and remembers what it was asked. */
export interface ScriptedClient extends ModelClient {
  readonly requests: readonly ScriptedRequest[];
}

/**
 * A model inside this process that answers from a script.
 *
 * Only the network is missing: requests are written and streams are read by the same code as for a
 * real model. Throws when the script is wrong.
 */
export function scriptedClient(
  script: Script,
  options: ScriptedClientOptions = {},
): ScriptedClient {
  const { clock = systemClock, random = Math.random, record = true } = options;
  const transport = new ScriptedTransport(script, { clock, record });
  const client = new ResponsesClient({
    provider: { ...scriptedProvider, ...options.provider },
    dialect: options.dialect ?? currentDialect(),
    transport,
    originator: "quire",
    userAgent: "quire",
    env: {},
    clock,
    random,
    ...(options.auth === undefined ? {} : { auth: options.auth }),
  });
  return {
    requests: transport.requests,
    stream: (prompt, signal) => client.stream(prompt, signal),
    close: () => client.close(),
  };
}

/** The provider a script stands for: it fails when the script says so, and at once. */
export const scriptedProvider: ModelProvider = {
  id: "scripted",
  name: "scripted",
  base_url: "http://127.0.0.1/v1",
  wire_api: "responses",
  request_max_retries: 0,
  stream_max_retries: 0,
  stream_idle_timeout_ms: 300_000,
  requires_openai_auth: false,
  store: false,
};

function currentDialect(): ModelBehavior {
  const era = eraNamed("current");
  if (era === undefined) throw new Error("No era named current");
  return era.model;
}
