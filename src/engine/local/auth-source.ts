import type { AuthSource, GivenTokens } from "../../auth/index.js";
import type { Config, Environment } from "../../config/index.js";
import type { Clock } from "../../lib/clock.js";

/** Logins of this machine besides the stored one. */
export interface AuthParts {
  env: Environment;
  clock: Clock;
  /** The key that the caller gave; all other logins are ignored then. */
  apiKey: string | undefined;
  /** Tokens that a client may provide in place of the stored login. */
  givenTokens(): Promise<GivenTokens>;
}

/** Returns what requests to a provider with a login are signed with. */
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
