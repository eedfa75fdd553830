import { boundedFetch, type FetchLike } from "../http/fetch.js";
import { type LoginKey, type StoredLogin, type TokenStore, toLogin } from "./token-store.js";

/** What the access to a server's tokens needs. */
export interface AccessTokenParts {
  key: LoginKey;
  store: TokenStore;
  fetch: FetchLike;
  now(): number;
}

/**
 * The token that a server is shown, renewed when it is about to run out or is refused.
 *
 * Several processes may use one login: whoever renews first writes the new tokens down, and the
 * others take those.
 */
export class AccessToken {
  readonly #parts: AccessTokenParts;
  #login: StoredLogin | undefined;

  constructor(parts: AccessTokenParts) {
    this.#parts = parts;
  }

  /** The token to show now; nothing when the user is not logged in. */
  async current(): Promise<string | undefined> {
    const { store, key, now } = this.#parts;
    this.#login ??= await store.read(key);
    const login = this.#login;
    if (login?.expires_at === undefined || login.expires_at - skewMs > now()) {
      return login?.access_token;
    }
    return (await this.renew(login.access_token)) ?? login.access_token;
  }

  /** Another token than the one given, or nothing when there is none to be had. */
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
      // The login is void only when the server says so; a network that is down says nothing.
      if (error instanceof InvalidGrantError) await store.remove(key);
      this.#login = undefined;
      return undefined;
    }
  }
}

/** So much before its end a token counts as used up. */
const skewMs = 30_000;

/** `fetch` that shows the server its token, and once more a new one when that is refused. */
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
