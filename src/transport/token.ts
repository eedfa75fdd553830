import { createHash, timingSafeEqual } from "node:crypto";
import { open, readFile } from "node:fs/promises";
import { TransportError } from "./error.js";
import type { SignedTokenRule, SigningKey } from "./jwt.js";

/** Returns true if the presented token is valid. Never throws. */
export type TokenCheck = (presented: string) => boolean;

/** The secret that clients must present, or its location; never part of an address. */
export type ServerToken =
  | string
  /** File with the token, of mode 0600. */
  | { file: string }
  /** SHA-256 of the token, in hex, so that the server need not know it. */
  | { sha256: string }
  /** JSON Web Tokens that are valid now and have a trusted signature. */
  | { signed: Omit<SignedTokenRule, "key"> & { key: SigningKey | SigningKeyFile } };

/** File of mode 0600 with the secret of HS256, or file with the public key of RS256. */
export type SigningKeyFile = { secretFile: string } | { publicKeyFile: string };

/** Creates the check for a token setting; reads its files. */
export async function createTokenCheck(token: ServerToken): Promise<TokenCheck> {
  if (typeof token === "string") return exactToken(token);
  if ("file" in token) return exactToken(await readSecretFile(token.file));
  if ("sha256" in token) return hashedToken(token.sha256);
  const { signedToken } = await import("./jwt.js");
  return signedToken({ ...token.signed, key: await readKey(token.signed.key) });
}

async function readKey(key: SigningKey | SigningKeyFile): Promise<SigningKey> {
  if ("secretFile" in key) return { secret: await readSecretFile(key.secretFile) };
  if (!("publicKeyFile" in key)) return key;
  const { publicKeyFile } = key;
  const publicKey = await readFile(publicKeyFile, "utf8").catch((error: unknown) => {
    throw new TransportError("bad_token", `Cannot read the public key ${publicKeyFile}`, error);
  });
  return { publicKey };
}

/** Compares in constant time. */
function exactToken(token: string): TokenCheck {
  if (token === "") throw new TransportError("bad_token", "The token is empty");
  return hashedToken(sha256(token).toString("hex"));
}

/** Like `exactToken`, for a server that stores only the SHA-256 of the token, in hex. */
function hashedToken(digest: string): TokenCheck {
  if (!/^[0-9a-f]{64}$/i.test(digest)) {
    throw new TransportError("bad_token", "A SHA-256 digest is 64 hexadecimal digits");
  }
  const expected = Buffer.from(digest, "hex");
  return (presented) => timingSafeEqual(expected, sha256(presented));
}

/**
 * Reads a secret from a file, trimmed.
 *
 * The file must not be accessible to other users (mode 0600 or stricter): a secret that others can
 * read is none.
 */
export async function readSecretFile(path: string): Promise<string> {
  const file = await open(path, "r").catch((error: unknown) => {
    throw new TransportError("bad_token", `Cannot read the token file ${path}`, error);
  });
  try {
    const stat = await file.stat();
    const problem = stat.isFile() ? problemOf(stat) : "is not a regular file";
    if (problem !== undefined) throw new TransportError("bad_token", `${path} ${problem}`);
    const secret = (await file.readFile("utf8")).trim();
    if (secret === "") throw new TransportError("bad_token", `${path} is empty`);
    return secret;
  } finally {
    await file.close();
  }
}

function problemOf({ mode, size }: { mode: number; size: number }): string | undefined {
  if (size > maxSecretBytes) return `is longer than ${maxSecretBytes} bytes; that is no token`;
  if (process.platform === "win32" || (mode & 0o077) === 0) return undefined;
  const shown = (mode & 0o777).toString(8).padStart(4, "0");
  return `can be read by others (mode ${shown}); make it 0600`;
}

const maxSecretBytes = 64 * 1024;

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
