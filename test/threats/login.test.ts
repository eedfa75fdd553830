import { createHash } from "node:crypto";
import { link, readdir, readFile } from "node:fs/promises";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loginWithApiKey, startBrowserLogin } from "../../src/auth/index.js";
import { fileStore } from "../../src/auth/store.js";
import { systemClock } from "../../src/lib/clock.js";
import { makeHome, partsOf } from "../auth/home.js";
import { startIssuer } from "../support/issuer.js";

test("OAU-04: a login uses PKCE and state, and listens on loopback only until it completes", async () => {
  await using issuer = await startIssuer();
  await using dir = await makeHome();
  const login = await startBrowserLogin({
    ...partsOf(dir.home, issuer.issuer, systemClock),
    originator: "codex_cli_rs",
    port: 0,
  });
  const { searchParams } = new URL(login.authUrl);
  const consent = new URL(issuer.consent(login.authUrl) ?? "");

  const reached = await Promise.all(addresses().map((host) => reaches(host, login.port)));
  const answer = await fetch(`http://127.0.0.1:${login.port}${consent.pathname}${consent.search}`, {
    redirect: "manual",
  });
  await fetch(answer.headers.get("location")?.replace("localhost", "127.0.0.1") ?? "");
  await login.done;

  expect(searchParams.get("code_challenge_method")).toBe("S256");
  const verifier = String(issuer.granted("authorization_code")[0]?.fields.code_verifier);
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  expect(searchParams.get("code_challenge")).toBe(challenge);
  expect(Buffer.from(searchParams.get("state") ?? "", "base64url").length * 8).toBeGreaterThan(127);
  expect(reached).toEqual(addresses().map((host) => host === "127.0.0.1"));
  expect(await reaches("127.0.0.1", login.port)).toBe(false);
});

test("SEC-03: a key is stored in a new file that only its owner can read, which replaces the old one", async () => {
  await using dir = await makeHome({ OPENAI_API_KEY: "sk-old" });
  const before = join(dir.home, "before.json");
  await link(dir.path, before);

  await loginWithApiKey({ home: dir.home, store: fileStore(dir.home) }, "sk-new\n");

  expect(await dir.stored()).toEqual({ OPENAI_API_KEY: "sk-new" });
  expect(await dir.mode()).toBe(0o600);
  // The old file was replaced, not overwritten: its hard link still has the old text.
  expect(JSON.parse(await readFile(before, "utf8"))).toEqual({ OPENAI_API_KEY: "sk-old" });
  expect((await readdir(dir.home)).sort()).toEqual(["auth.json", "before.json"]);
});

/** All addresses of this machine, loopback first. */
function addresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const others = all.filter(({ internal, scopeid }) => !internal && !scopeid);
  return ["127.0.0.1", "127.0.0.2", "::1", ...others.map(({ address }) => address)];
}

function reaches(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1_000 });
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.on("connect", () => settle(true));
    socket.on("error", () => settle(false));
    socket.on("timeout", () => settle(false));
  });
}
