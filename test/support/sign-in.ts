import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { idToken } from "./issuer.js";

/** Writes a valid ChatGPT login to a home. */
export function signIn({ home }: { home: string }): void {
  const tokens = {
    id_token: idToken,
    access_token: "access",
    refresh_token: "refresh",
    account_id: "account-1",
  };
  const file = { OPENAI_API_KEY: null, tokens, last_refresh: new Date().toISOString() };
  writeFileSync(join(home, "auth.json"), JSON.stringify(file), { mode: 0o600 });
}
