import { errorText } from "../lib/error-text.js";
import type { ModelAuth, ModelAuthSource, ModelFailure, ModelProvider } from "./types.js";

/** Variables of the environment by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Which key a request carries, or why it cannot be made. */
export type ChosenAuth =
  | { auth: ModelAuth | undefined; byLogin: boolean }
  | { failure: ModelFailure };

/**
 * Picks the key of a request.
 *
 * The provider's own variable wins over a login. A provider that names no variable and does not
 * ask for an OpenAI login gets no key at all: a login is not shown to strangers.
 */
export async function chooseAuth(
  provider: ModelProvider,
  env: Environment,
  source: ModelAuthSource | undefined,
): Promise<ChosenAuth> {
  const { env_key } = provider;
  const key = env_key === undefined ? undefined : env[env_key]?.trim();
  if (key) return { auth: { kind: "api_key", token: key }, byLogin: false };
  if (env_key === undefined && !provider.requires_openai_auth) {
    return { auth: undefined, byLogin: false };
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
