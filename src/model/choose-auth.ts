import { errorText } from "../lib/error-text.js";
import type { ModelAuth, ModelAuthSource, ModelFailure, ModelProvider } from "./types.js";

/** Variables of the environment by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Which key a request carries, or why it cannot be made. */
export type ChosenAuth =
  | { auth: ModelAuth | undefined; byLogin: boolean }
  | { failure: ModelFailure };

/** Where the key of a request may come from. */
export interface AuthOptions {
  provider: ModelProvider;
  env: Environment;
  /** The login of the user. */
  source: ModelAuthSource | undefined;
  /** A login is sent to a provider whose `env_key` is not set, as versions of 2025 did. */
  loginReplacesKey?: boolean;
}

/**
 * Returns the key of a request.
 *
 * The provider's own variable takes precedence over a login. A login is sent only to a provider that
 * asks for one (`requires_openai_auth`): other servers must not see it.
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

/** The login itself is in trouble, before any model was asked. */
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
