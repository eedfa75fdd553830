import type { GivenTokens } from "./given-tokens.js";
import type { RequestAuth } from "./token-source.js";

/** Where the login of each request comes from. */
export interface AuthSource {
  current(): Promise<RequestAuth | undefined>;
  refresh(): Promise<boolean>;
}

/** What a client has given as long as there is any, else the login that is stored. */
export function layeredSource(given: GivenTokens, stored: AuthSource): AuthSource {
  return {
    current: async () => given.current ?? stored.current(),
    refresh: () => (given.current === undefined ? stored.refresh() : given.refresh()),
  };
}
