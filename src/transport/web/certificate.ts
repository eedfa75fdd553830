import { createSign, generateKeyPairSync, randomBytes } from "node:crypto";
import { isIP } from "node:net";

/** Names and lifetime of a certificate. */
export interface CertificateOptions {
  /** Host names and IP addresses. */
  hosts?: readonly string[];
  days?: number;
}

/** Creates a self-signed certificate and its key, as PEM. */
export function createCertificate({
  hosts = ["localhost", "127.0.0.1"],
  days = 1,
}: CertificateOptions = {}): { cert: string; key: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(objectId(ecdsaWithSha256));
  const name = sequence(
    set(sequence(objectId(commonName), tagged(0x0c, Buffer.from("quire web")))),
  );
  const hour = 3_600_000;
  const validity = sequence(time(Date.now() - hour), time(Date.now() + days * 24 * hour));
  const names = sequence(...hosts.map(toName));
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ format: "der", type: "spki" }),
    tagged(0xa3, sequence(sequence(objectId(subjectAltName), tagged(0x04, names)))),
  );
  const signature = createSign("sha256").update(body).sign(privateKey);
  const bits = tagged(0x03, Buffer.concat([Buffer.from([0]), signature]));
  const der = sequence(body, algorithm, bits).toString("base64");
  const lines = der.match(/.{1,64}/g)?.join("\n");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ format: "pem", type: "pkcs8" }).toString(),
  };
}

/** Encodes a name of the owner: the bytes of an IP address, or a host name. */
function toName(host: string): Buffer {
  if (isIP(host) === 4) return tagged(0x87, Buffer.from(host.split(".").map(Number)));
  if (isIP(host) === 6) return tagged(0x87, bytesOfV6(host));
  return tagged(0x82, Buffer.from(host));
}

function bytesOfV6(host: string): Buffer {
  // The URL parser writes the last 32 bits of mapped addresses in hexadecimal too.
  const plain = new URL(`http://[${host.split("%")[0]}]`).hostname.slice(1, -1);
  const [head = "", tail = ""] = plain.split("::");
  const groupsOf = (text: string) => (text === "" ? [] : text.split(":"));
  const missing = 8 - groupsOf(head).length - groupsOf(tail).length;
  const groups = plain.includes("::")
    ? [...groupsOf(head), ...Array.from({ length: missing }, () => "0"), ...groupsOf(tail)]
    : groupsOf(plain);
  return Buffer.from(groups.map((group) => group.padStart(4, "0")).join(""), "hex");
}

const ecdsaWithSha256 = "2a8648ce3d040302";
const commonName = "550403";
const subjectAltName = "551d11";

function tagged(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag]), length(content.length), content]);
}

function length(bytes: number): Buffer {
  if (bytes < 0x80) return Buffer.from([bytes]);
  return bytes < 0x100 ? Buffer.from([0x81, bytes]) : Buffer.from([0x82, bytes >> 8, bytes & 0xff]);
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function set(...parts: Buffer[]): Buffer {
  return tagged(0x31, Buffer.concat(parts));
}

function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes);
}

function objectId(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, "hex"));
}

function time(ms: number): Buffer {
  const text = `${new Date(ms).toISOString().replace(/[-:T]/g, "").slice(0, 14)}Z`;
  return tagged(0x18, Buffer.from(text));
}
