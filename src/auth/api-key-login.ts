import { CodexError } from "../protocol/error.js";
import { withAuthLock } from "./auth-lock.js";
import type { AuthStore } from "./store.js";

/** Signs in with a key; whatever login there was is gone afterwards. */
export async function loginWithApiKey(
  { home, store }: { home: string; store: AuthStore },
  apiKey: string,
): Promise<void> {
  const key = apiKey.trim();
  if (key === "") throw new CodexError("invalid_request", "The API key is empty");
  // It becomes a header: a line break or a letter that no header can hold is a mistake of pasting.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new CodexError(
      "invalid_request",
      "The API key has blanks or characters that no key has: copy it again",
    );
  }
  await withAuthLock(home, () => store.write({ OPENAI_API_KEY: key }));
}
