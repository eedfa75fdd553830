import type { HttpServerConfig } from "../server-config.js";

/** The headers that the config gives each request, with a bearer token from the environment. */
export function configuredHeaders(
  config: HttpServerConfig,
  env: Readonly<NodeJS.ProcessEnv>,
): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(config.http_headers ?? {})) {
    setChecked(headers, name, value);
  }
  for (const [name, variable] of Object.entries(config.env_http_headers ?? {})) {
    const value = env[variable];
    if (value !== undefined && value.trim() !== "") setChecked(headers, name, value);
  }
  const token = bearerToken(config, env);
  if (token !== undefined) setChecked(headers, "authorization", `Bearer ${token}`);
  return headers;
}

function bearerToken(
  { bearer_token_env_var: variable }: HttpServerConfig,
  env: Readonly<NodeJS.ProcessEnv>,
): string | undefined {
  if (variable === undefined) return undefined;
  const token = env[variable]?.trim();
  if (token) return token;
  throw new Error(
    `Environment variable ${variable} for its bearer token is ${token === undefined ? "not set" : "empty"}`,
  );
}

/** The value may be a secret, so that a wrong one is named but not shown. */
function setChecked(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new Error(`The HTTP header \`${name}\` of its config cannot be sent`);
  }
}
