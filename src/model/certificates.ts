import { readFileSync } from "node:fs";
import { errorText } from "../lib/error-text.js";
import type { Environment } from "./choose-auth.js";

/**
 * The certificates to trust instead of the built-in ones, when the environment names some.
 *
 * `SSL_CERT_FILE` stands in place of the built-in list, as it does for other programs. Node adds
 * `NODE_EXTRA_CA_CERTS` to its own list only, so it is added here too.
 */
export function readTrustedCertificates(env: Environment): string[] | undefined {
  const file = env.SSL_CERT_FILE?.trim();
  if (!file) return undefined;
  const extra = env.NODE_EXTRA_CA_CERTS?.trim();
  return [readCertificates("SSL_CERT_FILE", file)].concat(
    extra ? readCertificates("NODE_EXTRA_CA_CERTS", extra) : [],
  );
}

function readCertificates(variable: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const reason = errorText(cause);
    throw new Error(`${variable} names a file that cannot be read: ${reason}`, { cause });
  }
}
