import { type Clock, systemClock } from "../lib/clock.js";
import type { Environment } from "./environment.js";
import { postDirectly } from "./http.js";
import { issuerOf } from "./issuer.js";
import type { AuthStore } from "./store.js";
import { TokenSource } from "./token-source.js";

/** Whose login it is, and what else may stand in for it. */
export interface StoredTokensOptions {
  home: string;
  store: AuthStore;
  env: Environment;
  clock?: Clock;
  /** See `TokenSourceOptions`; it is unless said. */
  openaiApiKey?: boolean;
}

/** The login that is stored for the user, renewed by who issued it when it must be. */
export function storedTokens(options: StoredTokensOptions): TokenSource {
  const issuer = issuerOf(options.env);
  const http = postDirectly;
  return new TokenSource({ clock: systemClock, openaiApiKey: true, ...options, issuer, http });
}
