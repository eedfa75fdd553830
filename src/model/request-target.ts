import type { ModelBehavior } from "../compat/index.js";
import { errorText } from "../lib/errors.js";
import { headerSecrets, urlSecrets } from "../lib/redact.js";
import type { ModelAuth, ModelAuthSource, ModelFailure, ModelProvider, Prompt } from "./types.js";

const openaiBase = "https://api.openai.com/v1";
const chatgptBase = "https://chatgpt.com/backend-api/codex";

/** Returns the URL of a request; the default server depends on the login. */
export function requestUrl(provider: ModelProvider, auth: ModelAuth | undefined): string {
  const base = provider.base_url ?? (auth?.kind === "chatgpt" ? chatgptBase : openaiBase);
  return `${base.replace(/\/+$/, "")}/responses${queryOf(provider)}`;
}

/** Returns true for an Azure provider, which requires item ids and stored responses. */
export function isAzure(provider: Pick<ModelProvider, "name" | "wire_api" | "base_url">): boolean {
  if (provider.wire_api !== "responses") return false;
  if (provider.name.toLowerCase() === "azure") return true;
  const base = provider.base_url?.toLowerCase() ?? "";
  return azureMarks.some((mark) => base.includes(mark));
}

const azureMarks = [
  "openai.azure.",
  "cognitiveservices.azure.",
  "aoai.azure.",
  "azure-api.",
  "azurefd.",
  "windows.net/openai",
];

/** Returns the query of a URL. Parameters are not escaped: users paste them escaped already. */
export function queryOf({ query_params }: ModelProvider): string {
  const pairs = Object.entries(query_params ?? {});
  return pairs.length === 0 ? "" : `?${pairs.map(([key, value]) => `${key}=${value}`).join("&")}`;
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Credentials of a request, or the failure to get them. */
type ChosenAuth = { auth: ModelAuth | undefined; byLogin: boolean } | { failure: ModelFailure };

/** Options for `chooseAuth`. */
interface AuthOptions {
  provider: ModelProvider;
  env: Environment;
  /** The user's login. */
  source: ModelAuthSource | undefined;
  /** Sends a login to a provider whose `env_key` is not set, as versions of 2025 did. */
  loginReplacesKey?: boolean;
}

/**
 * Returns the credentials of a request.
 *
 * The provider's environment variable takes precedence over a login. A login is sent only to a
 * provider that requires one (`requires_openai_auth`): other servers must not see it.
 */
export async function chooseAuth(options: AuthOptions): Promise<ChosenAuth> {
  const { provider, env, source, loginReplacesKey = false } = options;
  const { env_key } = provider;
  const key = env_key === undefined ? undefined : env[env_key]?.trim();
  if (key) return { auth: { kind: "api_key", token: key }, byLogin: false };
  if (!provider.requires_openai_auth && !(loginReplacesKey && env_key !== undefined)) {
    if (env_key === undefined) return { auth: undefined, byLogin: false };
    return { failure: missingKey(env_key, provider.env_key_instructions) };
  }

  try {
    const auth = await source?.current();
    if (auth === undefined && env_key !== undefined) {
      return { failure: missingKey(env_key, provider.env_key_instructions) };
    }
    return { auth, byLogin: auth !== undefined };
  } catch (error) {
    return { failure: badLogin(error) };
  }
}

/** Failure: the login cannot be used; no request was sent. */
export function badLogin(error: unknown): ModelFailure {
  const message = errorText(error);
  return { kind: "auth", message, retryable: false };
}

function missingKey(variable: string, instructions: string | undefined): ModelFailure {
  const text = `Missing environment variable: \`${variable}\`.`;
  return {
    kind: "auth",
    message: instructions === undefined ? text : `${text} ${instructions}`,
    retryable: false,
  };
}

/** HTTP headers. */
export type Headers = Record<string, string>;

/** Inputs of the common headers. */
interface HeaderParts {
  provider: ModelProvider;
  behavior: ModelBehavior;
  env: Environment;
  originator: string;
  userAgent: string;
}

/** Returns the headers common to all requests of a client. */
export function clientHeaders(parts: HeaderParts): Headers {
  const { provider, behavior, env } = parts;
  const headers: Headers = {
    "content-type": "application/json",
    accept: "text/event-stream",
    originator: parts.originator,
    "user-agent": parts.userAgent,
  };
  if (behavior.betaApi) headers["openai-beta"] = "responses=experimental";
  for (const [name, value] of Object.entries(provider.http_headers ?? {})) {
    put(headers, name, value);
  }
  for (const [name, variable] of Object.entries(provider.env_http_headers ?? {})) {
    const value = env[variable];
    if (value?.trim()) put(headers, name, value);
  }
  return headers;
}

/** Returns the headers of one request: the common ones, credentials and conversation. */
export function requestHeaders(
  common: Headers,
  prompt: Prompt,
  auth: ModelAuth | undefined,
  behavior: ModelBehavior,
): Headers {
  const headers: Headers = { ...common };
  if (auth !== undefined) {
    headers.authorization = `Bearer ${auth.token}`;
    if (auth.kind === "chatgpt" && auth.accountId) headers["chatgpt-account-id"] = auth.accountId;
  }
  if (behavior.requestForm === "2025") headers.conversation_id = prompt.conversationId;
  if (behavior.requestForm !== "2026-11") headers.session_id = prompt.conversationId;
  else {
    headers["session-id"] = prompt.conversationId;
    const { threadId = prompt.conversationId } = prompt;
    headers["thread-id"] = threadId;
    headers["x-client-request-id"] = threadId;
    headers["x-codex-beta-features"] = "remote_compaction_v2";
  }
  for (const [name, value] of Object.entries(prompt.headers ?? {})) put(headers, name, value);
  return headers;
}

/** Returns the credentials that a request sends; headers from the environment are meant for them. */
export function credentialsOf(
  { url, headers }: { url: string; headers: Headers },
  { env_http_headers = {} }: ModelProvider,
  env: Environment,
): string[] {
  const fromEnv = Object.values(env_http_headers).flatMap((variable) => env[variable] ?? []);
  return [...headerSecrets(headers), ...urlSecrets(url), ...fromEnv];
}

/** Omits invalid headers; names are lower-cased so that they replace ours. */
function put(headers: Headers, name: string, value: string): void {
  if (headerName.test(name) && headerValue.test(value)) headers[name.toLowerCase()] = value;
}

const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;
