export { loginWithApiKey } from "./api-key-login.js";
export { type AuthFile, authFilePath, type StoredTokens } from "./auth-file.js";
export {
  type BrowserLogin,
  type BrowserLoginOptions,
  startBrowserLogin,
} from "./browser-login.js";
export { type DeviceLogin, startDeviceLogin } from "./device-login.js";
export { codexApiKey, givenKey } from "./given-key.js";
export { type ClientTokens, GivenTokens, type RenewTokens } from "./given-tokens.js";
export {
  getDirectly,
  type HttpAnswer,
  type HttpClient,
  type HttpPost,
  postDirectly,
} from "./http.js";
export { type Issuer, issuerOf } from "./issuer.js";
export type { Keyring, KeyringEntry } from "./keyring.js";
export { type AuthSource, layeredSource } from "./layered-source.js";
export { logout } from "./logout.js";
export { openBrowser } from "./open-browser.js";
export type { RenewalFailure } from "./renewal.js";
export type { LoginParts, LoginResult } from "./save-login.js";
export { type AuthStatus, authStatus } from "./status.js";
export {
  type AuthStore,
  type AuthStoreMode,
  type AuthStoreOptions,
  openAuthStore,
} from "./store.js";
export { type StoredTokensOptions, storedTokens } from "./stored-tokens.js";
export { type RequestAuth, TokenSource, type TokenSourceOptions } from "./token-source.js";
