import type { Config, Environment } from "../../config/index.js";
import { type Clock, systemClock } from "../../lib/clock.js";
import {
  HttpTransport,
  type ModelAuthSource,
  type ModelClient,
  type ModelProvider,
  originatorOf,
  ResponsesClient,
  readSystemInfo,
  userAgent,
} from "../../model/index.js";
import type { Era } from "../../protocol/era.js";
import { requireLogin } from "./require-login.js";

/** What a model client is made from besides the config. */
export interface ModelParts {
  env: Environment;
  era: Era;
  newId(): string;
}

/** A client for the provider of the config, signed in as its user is. */
export async function createModel(config: Config, parts: ModelParts): Promise<ModelClient> {
  const { provider } = config;
  if (provider.id !== "oss") return createClient(provider, config, parts);
  const { createLocalModel } = await import("./local-model.js");
  return createLocalModel({
    env: parts.env,
    createClient: (found) => createClient(found, config, parts),
  });
}

async function createClient(
  provider: ModelProvider,
  config: Config,
  { env, era, newId }: ModelParts,
): Promise<ModelClient> {
  const originator = originatorOf(env);
  const version = era.compatibleWith;
  const system = await readSystemInfo();
  const needsLogin = provider.requires_openai_auth || provider.env_key !== undefined;
  const auth = needsLogin ? await loginOf(config, env) : undefined;
  const options = {
    provider,
    dialect: era.model,
    transport: new HttpTransport(env),
    originator,
    userAgent: userAgent({ originator, version, system, env }),
    env,
    clock: systemClock,
    random: Math.random,
    ...(auth === undefined ? {} : { auth }),
  };
  if (provider.wire_api === "chat") {
    const { ChatClient } = await import("../../model/chat/index.js");
    return new ChatClient({ ...options, newId });
  }
  const client = new ResponsesClient(options);
  return auth !== undefined && provider.requires_openai_auth ? requireLogin(client, auth) : client;
}

async function loginOf(
  config: Config,
  env: Environment,
  clock: Clock = systemClock,
): Promise<ModelAuthSource> {
  // Signing requests is none of the business of providers that need no login.
  const { issuerOf, openAuthStore, postDirectly, TokenSource } = await import(
    "../../auth/index.js"
  );
  const { home, cli_auth_credentials_store: mode } = config;
  const store = await openAuthStore({ home, mode });
  const issuer = issuerOf(env);
  return new TokenSource({
    home,
    store,
    issuer,
    http: postDirectly,
    clock,
    env,
    openaiApiKey: true,
  });
}
