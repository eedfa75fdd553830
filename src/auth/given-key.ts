import { CodexError } from "../protocol/error.js";
import { type Environment, variable } from "./environment.js";
import type { AuthSource } from "./layered-source.js";

/** The key of a run without a user: `CODEX_API_KEY`, if it is set. */
export function codexApiKey(env: Environment): string | undefined {
  return variable(env, "CODEX_API_KEY");
}

/**
 * Signs every request with the key that the caller gave.
 *
 * It takes precedence over the stored login, the tokens of a client and `OPENAI_API_KEY`, none of
 * which is ever sent in its place. Rejects if `forced_login_method` allows ChatGPT logins only.
 */
export function givenKey(key: string, forced: "api" | "chatgpt" | undefined): AuthSource {
  return {
    async current() {
      if (forced !== "chatgpt") return { kind: "api_key", token: key };
      throw new CodexError(
        "auth",
        'The settings allow ChatGPT logins only (forced_login_method = "chatgpt"), but an API key was given: ' +
          "unset CODEX_API_KEY or `apiKey`, or change forced_login_method",
      );
    },
    refresh: async () => false,
  };
}
