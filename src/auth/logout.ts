import { withAuthLock } from "./auth-lock.js";
import type { AuthStore } from "./store.js";

/** Removes the login; false when nobody was signed in. A broken login is removed too. */
export async function logout({
  home,
  store,
}: {
  home: string;
  store: AuthStore;
}): Promise<boolean> {
  return withAuthLock(home, () => store.remove());
}
