import type { AuthSource, GivenTokens } from "../../auth/index.js";
import type { Era } from "../../compat/index.js";
import type { Config, Environment } from "../../config/index.js";
import type { Clock } from "../../lib/clock.js";
import {
  type Cassette,
  findLocalServers,
  givenOriginator,
  type LocalServer,
  type ModelAuthSource,
  type ModelClient,
  type ModelProvider,
  type ModelTransport,
  noModelText,
  originatorOf,
  type Prompt,
  preferredModel,
  ResponsesClient,
  type SystemInfo,
  type UserAgentParts,
  userAgent,
} from "../../model/index.js";

/** Inputs for a model client besides the config. */
interface ModelParts {
  env: Environment;
  era: Era;
  newId(): string;
  clock: Clock;
  /** Carries the requests of all sessions, so that each finds the connections of the others open. */
  transport: ModelTransport;
  /** Reads the operating system and its version. */
  systemInfo(): Promise<SystemInfo>;
  /** The program that embeds the engine, if any. */
  host?: HostProgram | undefined;
  /** The program that connected, once it has initialized. */
  client?: ClientName | undefined;
  /** Returns the source of credentials. */
  authSource(config: Config): Promise<ModelAuthSource>;
  /** The first request of a cassette that is replayed: no server is asked, and no login is needed. */
  replayed?: Cassette["replayed"] | undefined;
}

/** A program that embeds the engine, so its name is known before any client initializes. */
export interface HostProgram {
  /** Kind of program that starts the threads. */
  source: "cli" | "exec";
  /** The name of the program in requests to the model. */
  originator: string;
  /** If true, the user agent names it as a client. */
  isClient: boolean;
}

/** Name and version of a connected program. */
export type ClientName = NonNullable<UserAgentParts["client"]>;

/** A client for the provider of the config, signed in as its user is. */
export async function createModel(config: Config, parts: ModelParts): Promise<ModelClient> {
  const { replayed } = parts;
  const provider = replayed === undefined ? config.provider : withoutLogin(config.provider);
  if (provider.id !== "oss") return createClient(provider, config, parts);
  return createLocalModel({
    env: parts.env,
    createClient: (found) => createClient(found, config, parts),
    ...(replayed === undefined ? {} : { find: async () => [recordedServer(provider, replayed)] }),
  });
}

function withoutLogin({ env_key: _, ...provider }: ModelProvider): ModelProvider {
  return { ...provider, requires_openai_auth: false };
}

/** Returns the local server that a cassette was recorded with. */
function recordedServer(
  provider: ModelProvider,
  { api, model }: NonNullable<Cassette["replayed"]>,
): LocalServer {
  const wire_api = api === "chat/completions" ? "chat" : "responses";
  return { provider: { ...provider, wire_api }, models: model === undefined ? [] : [model] };
}

/** Inputs for the user agent. */
type AgentParts = Omit<ModelParts, "newId" | "clock" | "authSource" | "transport" | "replayed">;

/** Returns the user agent for this machine. */
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

/** Returns the originator: the embedding program, the environment's, or since 0.104 the client. */
function originOf({ env, era, client, host }: AgentParts): string {
  if (host !== undefined) return originatorOf(env, host.originator);
  const name = era.since["0.104"] ? client?.name : undefined;
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
    behavior: era.model,
    transport: lent(transport),
    originator: originOf(parts),
    userAgent: await localUserAgent(parts),
    env,
    clock: parts.clock,
    random: Math.random,
    ...(auth === undefined ? {} : { auth }),
  };
  switch (provider.wire_api) {
    case "chat": {
      const { ChatClient } = await import("../../model/chat/index.js");
      return new ChatClient({ ...options, newId });
    }
    case "anthropic": {
      const { AnthropicClient } = await import("../../model/anthropic/index.js");
      return new AnthropicClient({ ...options, newId });
    }
    case "gemini": {
      const { GeminiClient } = await import("../../model/gemini/index.js");
      return new GeminiClient({ ...options, newId });
    }
  }
  const client = new ResponsesClient(options);
  return auth !== undefined && provider.requires_openai_auth ? requireLogin(client, auth) : client;
}

/** Wraps the shared transport so that closing a session does not close it. */
function lent(transport: ModelTransport): ModelTransport {
  return { post: (request, signal) => transport.post(request, signal), close: () => undefined };
}

/** Inputs for a local model. */
interface LocalModelParts {
  env: Environment;
  createClient(provider: ModelProvider): Promise<ModelClient>;
  /** Instead of looking at the usual places. */
  find?(env: Environment): Promise<LocalServer[]>;
}

/**
 * Asks a model server of this machine, whichever answers.
 *
 * It is looked for when the first request is made, and again when it was not there. A model that the
 * server does not have is replaced by the one of its models that suits the work best.
 */
function createLocalModel({ env, createClient, find }: LocalModelParts): ModelClient {
  let found: { client: ModelClient; models: readonly string[] } | undefined;
  const look = find ?? ((environment) => findLocalServers({ env: environment }));
  return {
    async *stream(prompt, signal) {
      if (found === undefined) {
        const server = (await look(env)).find(({ models }) => models.length > 0);
        if (server === undefined) {
          const failure = { kind: "auth", message: noModelText(), retryable: false } as const;
          yield [{ type: "failed", failure }];
          return;
        }
        found = { client: await createClient(server.provider), models: server.models };
      }
      yield* found.client.stream(withModelOf(found.models, prompt), signal);
    },
    close: () => found?.client.close(),
  };
}

function withModelOf(models: readonly string[], prompt: Prompt): Prompt {
  if (models.includes(prompt.model)) return prompt;
  return { ...prompt, model: preferredModel(models) ?? prompt.model };
}

/** Wraps a client so that requests without a login fail with a remedy. */
function requireLogin(client: ModelClient, auth: ModelAuthSource): ModelClient {
  return {
    async *stream(prompt, signal) {
      if ((await auth.current()) !== undefined) {
        yield* client.stream(prompt, signal);
        return;
      }
      const failure = { kind: "auth", message: noModelText(), retryable: false } as const;
      yield [{ type: "failed", failure }];
    },
    close: () => client.close(),
  };
}

/** Logins of this machine besides the stored one. */
interface AuthParts {
  env: Environment;
  clock: Clock;
  /** API key of the caller; overrides every other login. */
  apiKey: string | undefined;
  /** Tokens that a client may provide in place of the stored login. */
  givenTokens(): Promise<GivenTokens>;
}

/** Returns the source of credentials for requests to a provider with a login. */
export async function localAuthSource(config: Config, parts: AuthParts): Promise<AuthSource> {
  // Loaded here, for providers without a login need none of it.
  const auth = await import("../../auth/index.js");
  const { env, clock, apiKey } = parts;
  const { home, cli_auth_credentials_store: mode, forced_login_method: forced } = config;
  if (apiKey !== undefined) return auth.givenKey(apiKey, forced);
  const store = await auth.openAuthStore({ home, mode });
  const stored = auth.storedTokens({ home, store, clock, env });
  return auth.layeredSource(await parts.givenTokens(), stored);
}
