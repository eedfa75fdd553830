import { createHmac, createPublicKey, type KeyObject, timingSafeEqual, verify } from "node:crypto";
import { TransportError } from "./error.js";
import type { TokenCheck } from "./token.js";

/** The shared secret of HS256, at least 32 bytes; or the public key of RS256, as PEM. */
export type SigningKey = { secret: string } | { publicKey: string };

/** Requirements for a signed token. */
export interface SignedTokenRule {
  /** The key that signs the tokens. */
  key: SigningKey;
  /** Required audience (`aud`). */
  audience?: string;
  /** Required issuer (`iss`). */
  issuer?: string;
  /** Tolerated clock difference; default: 30 seconds. */
  clockSkewSeconds?: number;
  /** Milliseconds since the Unix epoch. */
  now?: () => number;
}

/**
 * Accepts JSON Web Tokens with a valid signature that have not expired.
 *
 * Only the type of the key decides the algorithm, never the token: a token that names another one
 * is refused, and so is one that never expires.
 */
export function signedToken(rule: SignedTokenRule): TokenCheck {
  const isSigned = signatureCheck(rule.key);
  return (presented) => {
    const parts = readParts(presented);
    if (parts === undefined || !isSigned(parts)) return false;
    return holds(parts.claims, rule);
  };
}

interface Parts {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
  signed: string;
  signature: Buffer;
}

function readParts(token: string): Parts | undefined {
  const [, header, claims, signature] =
    /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/.exec(token) ?? [];
  if (header === undefined || claims === undefined || signature === undefined) return undefined;
  try {
    return {
      header: readObject(header),
      claims: readObject(claims),
      signed: `${header}.${claims}`,
      signature: Buffer.from(signature, "base64url"),
    };
  } catch {
    return undefined;
  }
}

function readObject(part: string): Record<string, unknown> {
  const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  if (typeof value !== "object" || value === null) throw new TypeError("not an object");
  return value as Record<string, unknown>;
}

function signatureCheck(key: SigningKey): (parts: Parts) => boolean {
  if ("publicKey" in key) {
    const publicKey = readPublicKey(key.publicKey);
    return ({ header, signed, signature }) =>
      isPlain(header, "RS256") && verify("RSA-SHA256", Buffer.from(signed), publicKey, signature);
  }
  if (Buffer.byteLength(key.secret) < minSecretBytes) {
    const problem = `The secret of signed tokens needs at least ${minSecretBytes} bytes`;
    throw new TransportError("bad_token", problem);
  }
  return ({ header, signed, signature }) => {
    if (!isPlain(header, "HS256")) return false;
    const expected = createHmac("sha256", key.secret).update(signed).digest();
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  };
}

/** A token with critical extensions (`crit`) is refused: none are supported. */
function isPlain(header: Record<string, unknown>, algorithm: string): boolean {
  return header.alg === algorithm && header.crit === undefined;
}

function readPublicKey(pem: string): KeyObject {
  try {
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType === "rsa") return key;
  } catch (error) {
    throw new TransportError("bad_token", "The public key is not PEM", error);
  }
  throw new TransportError("bad_token", "The public key of signed tokens must be an RSA key");
}

function holds(claims: Record<string, unknown>, rule: SignedTokenRule): boolean {
  const { audience, issuer, clockSkewSeconds = 30, now = Date.now } = rule;
  const seconds = now() / 1000;
  if (!isTime(claims.exp) || seconds > claims.exp + clockSkewSeconds) return false;
  if (claims.nbf !== undefined) {
    if (!isTime(claims.nbf) || seconds < claims.nbf - clockSkewSeconds) return false;
  }
  if (issuer !== undefined && claims.iss !== issuer) return false;
  return audience === undefined || [claims.aud].flat().includes(audience);
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

const minSecretBytes = 32;
