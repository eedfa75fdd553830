import type { ModelBehavior } from "../compat/index.js";
import type { Environment } from "./choose-auth.js";
import type { ModelAuth, ModelProvider, Prompt } from "./types.js";

/** Header names and values as they go over the wire. */
export type Headers = Record<string, string>;

/** What the headers of all requests of a client are made of. */
export interface HeaderParts {
  provider: ModelProvider;
  dialect: ModelBehavior;
  env: Environment;
  originator: string;
  userAgent: string;
}

/** The headers that every request of a client carries. */
export function clientHeaders(parts: HeaderParts): Headers {
  const { provider, dialect, env } = parts;
  const headers: Headers = {
    "content-type": "application/json",
    accept: "text/event-stream",
    originator: parts.originator,
    "user-agent": parts.userAgent,
  };
  if (dialect.betaHeader) headers["openai-beta"] = "responses=experimental";
  for (const [name, value] of Object.entries(provider.http_headers ?? {})) {
    put(headers, name, value);
  }
  for (const [name, variable] of Object.entries(provider.env_http_headers ?? {})) {
    const value = env[variable];
    if (value?.trim()) put(headers, name, value);
  }
  return headers;
}

/** The headers of one request: those of the client, who asks, and which conversation it is. */
export function requestHeaders(
  common: Headers,
  prompt: Prompt,
  auth: ModelAuth | undefined,
  dialect: ModelBehavior,
): Headers {
  const headers: Headers = { ...common };
  if (auth !== undefined) {
    headers.authorization = `Bearer ${auth.token}`;
    if (auth.kind === "chatgpt" && auth.accountId) headers["chatgpt-account-id"] = auth.accountId;
  }
  if (dialect.conversationIdHeader) headers.conversation_id = prompt.conversationId;
  if (dialect.sessionHeaders === "session_id") headers.session_id = prompt.conversationId;
  else {
    headers["session-id"] = prompt.conversationId;
    headers["thread-id"] = prompt.conversationId;
    headers["x-client-request-id"] = prompt.conversationId;
    headers["x-codex-beta-features"] = "remote_compaction_v2";
  }
  for (const [name, value] of Object.entries(prompt.headers ?? {})) put(headers, name, value);
  return headers;
}

/** A header that HTTP cannot carry is left out; the name is lowered so that it replaces ours. */
function put(headers: Headers, name: string, value: string): void {
  if (headerName.test(name) && headerValue.test(value)) headers[name.toLowerCase()] = value;
}

const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;
