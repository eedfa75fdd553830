import { boundedFetch, type FetchLike } from "../http/fetch.js";
import { type LoginKey, type StoredLogin, type TokenStore, toLogin } from "./token-store.js";

/** Dependencies of `AccessToken`. */
export interface AccessTokenParts {
  key: LoginKey;
  store: TokenStore;
  fetch: FetchLike;
  now(): number;
}

/**
 * Access token for a server, refreshed before it expires or when it is rejected.
 *
 * Several processes may share a login: the first one to refresh stores the new tokens, and the
 * others read them.
 */
export class AccessToken {
  readonly #parts: AccessTokenParts;
  #login: StoredLogin | undefined;

  constructor(parts: AccessTokenParts) {
    this.#parts = parts;
  }

  /** Returns the current token; undefined if the user is not logged in. */
  async current(): Promise<string | undefined> {
    const { store, key, now } = this.#parts;
    this.#login ??= await store.read(key);
    const login = this.#login;
    if (login?.expires_at === undefined || login.expires_at - skewMs > now()) {
      return login?.access_token;
    }
    return (await this.renew(login.access_token)) ?? login.access_token;
  }

  /** Returns a token other than the rejected one, if one can be obtained. */
  async renew(refused: string): Promise<string | undefined> {
    const { store, key } = this.#parts;
    return store.exclusively(key, async () => {
      const login = await store.read(key);
      this.#login = login;
      if (login === undefined || login.access_token !== refused) return login?.access_token;
      return this.#refresh(login);
    });
  }

  async #refresh(login: StoredLogin): Promise<string | undefined> {
    const { store, key, now } = this.#parts;
    if (login.refresh_token === undefined) return undefined;
    const fetch = boundedFetch(this.#parts.fetch);
    const sdk = await import("@modelcontextprotocol/sdk/client/auth.js");
    const { InvalidGrantError } = await import("@modelcontextprotocol/sdk/server/auth/errors.js");
    try {
      const metadata = await sdk.discoverAuthorizationServerMetadata(login.issuer, {
        fetchFn: fetch,
      });
      const tokens = await sdk.refreshAuthorization(login.issuer, {
        ...(metadata === undefined ? {} : { metadata }),
        clientInformation: login,
        refreshToken: login.refresh_token,
        ...(login.resource === undefined ? {} : { resource: login.resource }),
        fetchFn: fetch,
      });
      this.#login = toLogin(login, tokens, now());
      await store.write(this.#login);
      return this.#login.access_token;
    } catch (error) {
      // Only an explicit rejection invalidates the login; a network failure does not.
      if (error instanceof InvalidGrantError) await store.remove(key);
      this.#login = undefined;
      return undefined;
    }
  }
}

/** A token counts as expired this long before its end. */
const skewMs = 30_000;

/** Wraps `fetch` to send the token, and to retry once with a refreshed one after a 401. */
export function withAccessToken(fetch: FetchLike, token: AccessToken): FetchLike {
  return async (url, init) => {
    const shown = await token.current();
    const response = await fetch(url, withBearer(init, shown));
    if (response.status !== 401 || shown === undefined) return response;
    const renewed = await token.renew(shown);
    if (renewed === undefined) return response;
    await response.body?.cancel();
    return fetch(url, withBearer(init, renewed));
  };
}

function withBearer(init: RequestInit | undefined, token: string | undefined): RequestInit {
  if (token === undefined) return init ?? {};
  const headers = new Headers(init?.headers);
  headers.set("authorization", `Bearer ${token}`);
  return { ...init, headers };
}
