import { createHash, createHmac, createSign, generateKeyPairSync } from "node:crypto";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type SignedTokenRule, signedToken } from "../../src/transport/jwt.js";
import { createTokenCheck, type SigningKeyFile } from "../../src/transport/token.js";

describe("tokens", () => {
  test("a token is compared whole", async () => {
    const check = await createTokenCheck("s3cret");

    expect(["s3cret", "", "s3cre", "s3cret ", "S3CRET"].map(check)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  test("a server may know the digest only", async () => {
    const sha256 = createHash("sha256").update("s3cret").digest("hex").toUpperCase();
    const check = await createTokenCheck({ sha256 });

    expect([check("s3cret"), check(sha256)]).toEqual([true, false]);
    await expect(createTokenCheck({ sha256: "abc" })).rejects.toMatchObject({ code: "bad_token" });
  });

  test("a token is read from a file that only its owner can read", async () => {
    await using file = await secretFile("  s3cret\n", 0o600);
    const check = await createTokenCheck({ file: file.path });

    expect([check("s3cret"), check("  s3cret\n")]).toEqual([true, false]);
  });

  test.each([
    ["others may read it", "s3cret", 0o644, "can be read by others (mode 0644); make it 0600"],
    ["the group may read it", "s3cret", 0o640, "can be read by others (mode 0640); make it 0600"],
    ["it is empty", " \n", 0o600, "is empty"],
    ["it is no token", "x".repeat(70_000), 0o600, "is longer than 65536 bytes; that is no token"],
  ])("a file is refused when %s", async (_, text, mode, problem) => {
    await using file = await secretFile(text, mode);

    await expect(createTokenCheck({ file: file.path })).rejects.toMatchObject({
      code: "bad_token",
      message: `${file.path} ${problem}`,
    });
  });

  test("the keys of signed tokens may be in files; only a secret must be secret", async () => {
    const secret = "0123456789abcdef0123456789abcdef";
    const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const pem = publicKey.export({ format: "pem", type: "spki" }).toString();
    await using secretKey = await secretFile(`${secret}\n`, 0o600);
    await using openKey = await secretFile(secret, 0o644);
    await using publicFile = await secretFile(pem, 0o644);
    const claims = { exp: Date.now() / 1000 + 60 };
    const rs256 = (text: string) => createSign("sha256").update(text).sign(privateKey);
    const checkOf = (key: SigningKeyFile) => createTokenCheck({ signed: { key } });

    const hs = await checkOf({ secretFile: secretKey.path });
    const rs = await checkOf({ publicKeyFile: publicFile.path });

    expect(hs(hs256(claims, secret))).toBe(true);
    expect(rs(sign({ alg: "RS256" }, claims, rs256))).toBe(true);
    await expect(checkOf({ secretFile: openKey.path })).rejects.toThrow("can be read by others");
    await expect(checkOf({ publicKeyFile: "/no/such" })).rejects.toThrow("Cannot read the public");
  });

  test("an empty file or a directory is refused", async () => {
    await expect(createTokenCheck({ file: tmpdir() })).rejects.toThrow("is not a regular file");
    await expect(createTokenCheck({ file: "/no/such" })).rejects.toThrow("Cannot read the token");
    await expect(createTokenCheck("")).rejects.toThrow("The token is empty");
  });
});

describe("signed tokens", () => {
  const secret = "0123456789abcdef0123456789abcdef";
  const now = () => 1_000_000_000;
  const rule: SignedTokenRule = { key: { secret }, audience: "quire", issuer: "ide", now };
  const claims = { aud: "quire", iss: "ide", exp: 1_000_100, nbf: 999_900 };
  const accepts = (token: string, rules = rule) => signedToken(rules)(token);

  test("a signed token with valid times, audience and issuer is accepted", () => {
    expect(accepts(hs256(claims, secret))).toBe(true);
    expect(accepts(hs256({ ...claims, aud: ["other", "quire"] }, secret))).toBe(true);
    expect(accepts(hs256({ exp: 1_000_100 }, secret), { key: { secret }, now })).toBe(true);
  });

  test.each([
    ["expired", { ...claims, exp: 999_969 }],
    ["without an end", { ...claims, exp: undefined }],
    ["with an end that is no time", { ...claims, exp: "1000100" }],
    ["not valid yet", { ...claims, nbf: 1_000_031 }],
    ["with a beginning that is no time", { ...claims, nbf: null }],
    ["for someone else", { ...claims, aud: "other" }],
    ["for nobody", { ...claims, aud: undefined }],
    ["from someone else", { ...claims, iss: "other" }],
  ])("a signed token that is %s is refused", (_, wrong) => {
    expect(accepts(hs256(wrong, secret))).toBe(false);
  });

  test("clocks may differ a little", () => {
    const late = hs256({ ...claims, exp: 999_971 }, secret);
    const early = hs256({ ...claims, nbf: 1_000_029 }, secret);

    expect([accepts(late), accepts(early)]).toEqual([true, true]);
    expect(accepts(late, { ...rule, clockSkewSeconds: 0 })).toBe(false);
  });

  test("the kind of key decides the algorithm, never the token", () => {
    const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const pem = publicKey.export({ format: "pem", type: "spki" }).toString();
    const rsaRule = { ...rule, key: { publicKey: pem } };
    const signed = sign({ alg: "RS256" }, claims, (text) =>
      createSign("sha256").update(text).sign(privateKey),
    );

    expect(accepts(signed, rsaRule)).toBe(true);
    expect(accepts(signed)).toBe(false);
    expect(accepts(hs256(claims, pem), rsaRule)).toBe(false);
    expect(accepts(hs256(claims, secret), rsaRule)).toBe(false);
    expect(accepts(sign({ alg: "none" }, claims, () => Buffer.from("x")))).toBe(false);
    expect(accepts(hs256(claims, secret, { alg: "HS256", crit: ["x"] }))).toBe(false);
  });

  test("one that was changed is refused", () => {
    const token = hs256(claims, secret);
    const [header, body, signature] = token.split(".");
    const other = Buffer.from(JSON.stringify({ ...claims, exp: 2_000_000 })).toString("base64url");

    expect(accepts(`${header}.${other}.${signature}`)).toBe(false);
    expect(accepts(`${header}.${body}.${signature?.slice(1)}`)).toBe(false);
    expect(accepts(`${header}.${body}.`)).toBe(false);
    expect(accepts(hs256(claims, `${secret}x`))).toBe(false);
    for (const text of ["", ".", "..", "a.b", "a.b.c", "a.b.c.d", "é.é.é", `${token} `]) {
      expect(accepts(text)).toBe(false);
    }
  });

  test("a key that protects nothing is refused", () => {
    const { publicKey } = generateKeyPairSync("ed25519");
    const pem = publicKey.export({ format: "pem", type: "spki" }).toString();

    expect(() => signedToken({ key: { secret: "short" } })).toThrow("at least 32 bytes");
    expect(() => signedToken({ key: { publicKey: "no key" } })).toThrow("is not PEM");
    expect(() => signedToken({ key: { publicKey: pem } })).toThrow("must be an RSA key");
  });
});

function hs256(claims: object, secret: string, header: object = { alg: "HS256" }): string {
  return sign(header, claims, (text) => createHmac("sha256", secret).update(text).digest());
}

function sign(header: object, claims: object, signer: (text: string) => Buffer): string {
  const text = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  return `${text}.${signer(text).toString("base64url")}`;
}

async function secretFile(text: string, mode: number): Promise<{ path: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), "quire-token-"));
  const path = join(folder, "token");
  await writeFile(path, text);
  await chmod(path, mode);
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}
