import type { Era } from "../../compat/index.js";
import type { Config, Environment } from "../../config/index.js";
import { systemClock } from "../../lib/clock.js";
import {
  givenOriginator,
  type ModelAuthSource,
  type ModelClient,
  type ModelProvider,
  type ModelTransport,
  originatorOf,
  ResponsesClient,
  type SystemInfo,
  type UserAgentParts,
  userAgent,
} from "../../model/index.js";
import { requireLogin } from "./require-login.js";

/** What a model client is made from besides the config. */
export interface ModelParts {
  env: Environment;
  era: Era;
  newId(): string;
  /** Carries the requests of all sessions, so that each finds the connections of the others open. */
  transport: ModelTransport;
  /** What this machine runs. */
  systemInfo(): Promise<SystemInfo>;
  /** The program that the engine is a part of, when it serves nobody else. */
  host?: HostProgram | undefined;
  /** The program that drives us, once it has introduced itself. */
  client?: ClientName | undefined;
  /** Returns what requests are signed with. */
  authSource(config: Config): Promise<ModelAuthSource>;
}

/** A program with the engine inside: who asks is known before any client says so. */
export interface HostProgram {
  /** What kind of program begins the threads. */
  source: "cli" | "exec";
  originator: string;
  /** The model's server is told of it as of a client of a server. */
  isClient: boolean;
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

/** What our name is made from. */
type AgentParts = Omit<ModelParts, "newId" | "authSource" | "transport">;

/** What we call ourselves on this machine. */
export async function localUserAgent(parts: AgentParts): Promise<string> {
  const { env, era, client, host } = parts;
  const system = await parts.systemInfo();
  const isNamed = client !== undefined && host?.isClient !== false;
  return userAgent({
    originator: originOf(parts),
    version: era.compatibleWith,
    system,
    env,
    ...(isNamed ? { client } : {}),
  });
}

/** Who asks: the program that drives us, in versions that let it stand in their place. */
function originOf({ env, era, client, host }: AgentParts): string {
  if (host !== undefined) return originatorOf(env, host.originator);
  const name = era.model.clientIsOriginator ? client?.name : undefined;
  return givenOriginator(env) ?? name ?? originatorOf(env);
}

async function createClient(
  provider: ModelProvider,
  config: Config,
  parts: ModelParts,
): Promise<ModelClient> {
  const { env, era, newId, transport } = parts;
  const needsLogin = provider.requires_openai_auth || provider.env_key !== undefined;
  const auth = needsLogin ? await parts.authSource(config) : undefined;
  const options = {
    provider,
    dialect: era.model,
    transport: lent(transport),
    originator: originOf(parts),
    userAgent: await localUserAgent(parts),
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

/** A session that ends leaves the connections to the others. */
function lent(transport: ModelTransport): ModelTransport {
  return { post: (request, signal) => transport.post(request, signal), close: () => undefined };
}
