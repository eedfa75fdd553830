export { type AuthFile, authFilePath, type StoredTokens } from "./auth-file.js";
export {
  type AuthSource,
  type ClientTokens,
  codexApiKey,
  GivenTokens,
  givenKey,
  layeredSource,
  type RenewTokens,
} from "./auth-source.js";
export {
  type BrowserLogin,
  type BrowserLoginOptions,
  startBrowserLogin,
} from "./browser-login.js";
export { type DeviceLogin, startDeviceLogin } from "./device-login.js";
export {
  getDirectly,
  type HttpAnswer,
  type HttpClient,
  type HttpPost,
  postDirectly,
} from "./http.js";
export { type Issuer, issuerOf } from "./issuer.js";
export type { Keyring, KeyringEntry } from "./keyring.js";
export { type AuthStatus, authStatus } from "./login.js";
export { openBrowser } from "./open-browser.js";
export type { RenewalFailure } from "./renewal.js";
export type { LoginParts, LoginResult } from "./save-login.js";
export { loginWithApiKey, logout } from "./save-login.js";
export {
  type AuthStore,
  type AuthStoreMode,
  type AuthStoreOptions,
  openAuthStore,
} from "./store.js";
export {
  type RequestAuth,
  type StoredTokensOptions,
  storedTokens,
  TokenSource,
  type TokenSourceOptions,
} from "./token-source.js";
