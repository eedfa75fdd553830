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
  type UserAgentParts,
  userAgent,
} from "../../model/index.js";
import type { Era } from "../../protocol/era.js";
import { requireLogin } from "./require-login.js";

/** What a model client is made from besides the config. */
export interface ModelParts {
  env: Environment;
  era: Era;
  newId(): string;
  /** The program that drives us, once it has introduced itself. */
  client?: ClientName | undefined;
}

/** What a program that drives us calls itself. */
export type ClientName = NonNullable<UserAgentParts["client"]>;

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

/** What we call ourselves on this machine. */
export async function localUserAgent({
  env,
  era,
  client,
}: Omit<ModelParts, "newId">): Promise<string> {
  const system = await readSystemInfo();
  return userAgent({
    originator: originOf({ env, era, client }),
    version: era.compatibleWith,
    system,
    env,
    ...(client === undefined ? {} : { client }),
  });
}

/** Who asks: the program that drives us, in versions that let it stand in their place. */
function originOf({ env, era, client }: Omit<ModelParts, "newId">): string {
  return era.model.clientIsOriginator && client ? client.name : originatorOf(env);
}

async function createClient(
  provider: ModelProvider,
  config: Config,
  { env, era, newId, client: driver }: ModelParts,
): Promise<ModelClient> {
  const needsLogin = provider.requires_openai_auth || provider.env_key !== undefined;
  const auth = needsLogin ? await loginOf(config, env) : undefined;
  const options = {
    provider,
    dialect: era.model,
    transport: new HttpTransport(env),
    originator: originOf({ env, era, client: driver }),
    userAgent: await localUserAgent({ env, era, client: driver }),
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
