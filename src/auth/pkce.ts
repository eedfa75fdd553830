import { createHash, randomBytes } from "node:crypto";

/** A secret and its hash: whoever shows the secret is the one who sent the hash (RFC 7636). */
export interface Pkce {
  verifier: string;
  challenge: string;
}

/** A new secret of 64 random bytes. */
export function createPkce(): Pkce {
  const verifier = randomBytes(64).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** A word that ties the browser's answer to the question it was sent with. */
export function createState(): string {
  return randomBytes(32).toString("base64url");
}
