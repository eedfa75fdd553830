import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type FakeIssuer, idToken, startIssuer } from "../../support/issuer.js";
import { createUser, type TestUser } from "../support/run-quire.js";
import { type Running, spawnQuire } from "../support/spawn-quire.js";

/** Starts a login that listens on a free port. */
function login(user: TestUser, fake: FakeIssuer, env: Record<string, string> = {}): Running {
  return spawnQuire(user, ["login"], {
    CODEX_APP_SERVER_LOGIN_ISSUER: fake.issuer.url,
    QUIRE_LOGIN_PORT: "0",
    ...env,
  });
}

/** Returns the printed login URL. */
async function addressOf(running: Running): Promise<string> {
  return (await running.untilError(/^(http\S+\/oauth\/authorize\S+)$/m))[1] ?? "";
}

async function portOf(running: Running): Promise<string> {
  return (await running.untilError(/localhost:(\d+)/))[1] ?? "";
}

/** A desktop whose browser goes where it is sent and keeps the last page. */
function desktopOf(user: TestUser) {
  const folder = join(user.project, "bin");
  const page = join(user.project, "page.txt");
  const browser = `#!${process.execPath}
fetch(process.argv[2]).then(async (last) => {
  require("node:fs").writeFileSync(${JSON.stringify(page)}, last.status + " " + await last.text());
});\n`;
  mkdirSync(folder);
  writeFileSync(join(folder, "xdg-open"), browser);
  chmodSync(join(folder, "xdg-open"), 0o755);
  return { page, env: { DISPLAY: ":7", PATH: `${folder}:${process.env.PATH}` } };
}

const isSignedOut = async (user: TestUser) =>
  (await user.run(["login", "status"])).code === 1 && !existsSync(join(user.home, "auth.json"));

describe("quire login in the browser", () => {
  test.skipIf(process.platform !== "linux")(
    "opens one, which comes back with what the tokens are got for",
    async () => {
      using user = createUser();
      await using fake = await startIssuer();
      const desktop = desktopOf(user);

      await using running = login(user, fake, desktop.env);

      expect(await running.exit).toBe(0);
      expect(running.stdout()).toBe("");
      expect(running.stderr()).toMatch(/Successfully logged in\n$/);
      const file = join(user.home, "auth.json");
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
        OPENAI_API_KEY: null,
        tokens: {
          id_token: idToken,
          access_token: "access-0",
          refresh_token: "refresh-0",
          account_id: "account-1",
        },
        last_refresh: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      });
      expect((await user.run(["login", "status"])).stderr).toBe(
        "Logged in using ChatGPT (user@example.com, plan pro)\n",
      );
      expect(JSON.parse((await user.run(["login", "status", "--json"])).stdout)).toMatchObject({
        method: "chatgpt",
        email: "user@example.com",
      });
      await expect.poll(() => existsSync(desktop.page)).toBe(true);
      await expect.poll(() => readFileSync(desktop.page, "utf8")).toMatch(/^200 [\s\S]*Signed in/);
    },
  );

  test("rejects a browser with another state and keeps waiting", async () => {
    using user = createUser();
    await using fake = await startIssuer();
    await using running = login(user, fake);
    const port = await portOf(running);

    const stray = await fetch(`http://127.0.0.1:${port}/auth/callback?code=code-1&state=other`);

    expect([stray.status, await stray.text()]).toEqual([400, "State mismatch"]);
    expect(await isSignedOut(user)).toBe(true);
    const page = await fetch(await addressOf(running));
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Signed in")]);
    expect(await running.exit).toBe(0);
  });

  test("reports the reason of the issuer", async () => {
    using user = createUser();
    await using fake = await startIssuer();
    fake.refusal = "access_denied";
    await using running = login(user, fake);

    const page = await fetch(await addressOf(running));

    expect(page.status).toBe(400);
    expect(await running.exit).toBe(3);
    expect(running.stderr()).toMatch(/Not logged in: Sign-in was refused: access_denied\n$/);
    expect(await isSignedOut(user)).toBe(true);
  });

  test("reports an issuer that returns no tokens", async () => {
    using user = createUser();
    await using fake = await startIssuer();
    await using running = login(user, fake);
    const address = await addressOf(running);
    const callback = fake.consent(address);
    fake.next.push({ status: 503, body: { error: "busy" } });

    const page = await fetch(callback);

    expect(page.status).toBe(500);
    expect(await running.exit).toBe(3);
    expect(running.stderr()).toMatch(/Token exchange failed: .*503.*busy/);
    expect(await isSignedOut(user)).toBe(true);
  });

  test("ends at once when the user gives up, and frees the port", async () => {
    using user = createUser();
    await using fake = await startIssuer();
    await using running = login(user, fake);
    const port = await portOf(running);

    running.child.kill("SIGINT");

    expect(await running.exit).toBe(130);
    await expect(fetch(`http://127.0.0.1:${port}/success`)).rejects.toThrow();
    expect(await isSignedOut(user)).toBe(true);
  });

  test("takes the port over from another login, which ends", async () => {
    using user = createUser();
    await using fake = await startIssuer();
    await using first = login(user, fake);
    const port = await portOf(first);

    await using second = login(user, fake, { QUIRE_LOGIN_PORT: port });

    expect(await portOf(second)).toBe(port);
    expect(await first.exit).toBe(3);
    expect(first.stderr()).toMatch(/Not logged in: Login cancelled\n$/);
  });

  test("reports a port in use", async () => {
    using user = createUser();
    await using fake = await startIssuer();
    const other = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.resume().end();
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;

    await using running = login(user, fake, { QUIRE_LOGIN_PORT: String(port) });

    expect(await running.exit).toBe(3);
    expect(running.stderr()).toContain(`Port 127.0.0.1:${port} is already in use`);
    await new Promise((resolve) => other.close(resolve));
  });
});
