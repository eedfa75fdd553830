import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeConfined, type Scene } from "./support/confined.js";

describeConfined("hidden files", (confined) => {
  test.each([{ readOnly: true }, {}, { policy: { network_access: true } }])(
    "[security H2] sign-ins and tokens cannot be read, policy %j",
    async (how) => {
      const scene = confined().scene();
      const secrets = furnish(scene);

      const { stdout, stderr } = await confined().sh(
        scene,
        `cat ${secrets.join(" ")}; cat ${join(scene.base, "home/.codex/config.toml")}; ls ${join(scene.base, "home/.codex/mcp-oauth")}`,
        { ...how, options: { hidden: [...secrets, join(scene.base, "home/.codex/mcp-oauth")] } },
      );

      expect(stdout).toBe("plain");
      expect(stderr.match(/Permission denied/g)).toHaveLength(secrets.length);
    },
  );

  test("[security H2] a hidden file in the workspace can be neither moved, linked nor replaced", async () => {
    const scene = confined().scene();
    const token = join(scene.ws, "token");
    writeFileSync(token, "hush-hush", { mode: 0o644 });

    const { stdout } = await confined().sh(
      scene,
      "mv token other; ln token other; rm -f token; cat token other; cp token other; cat other",
      { options: { hidden: [token] } },
    );

    expect(stdout).toBe("");
  });

  test("[security H2] a command ends when a hidden file is replaced, since it could read it then", async () => {
    const scene = confined().scene();
    const [secret = ""] = furnish(scene);
    const started = join(scene.outside, "started");
    execFileSync("mkfifo", ["-m", "666", started]);

    const running = confined().sh(
      scene,
      `cat ${started} >/dev/null; until cat ${secret} 2>/dev/null; do sleep 0.05; done; sleep 5`,
      { options: { hidden: [secret] } },
    );
    writeFileSync(started, "");
    writeFileSync(`${secret}.new`, "hush-hush");
    renameSync(`${secret}.new`, secret);
    const { failure } = await running;

    expect(failure).toMatchObject({ kind: "sandbox", message: expect.stringContaining(secret) });
  });
});

/** Creates readable secrets, one of them behind a link. */
function furnish(scene: Scene): string[] {
  const home = join(scene.base, "home/.codex");
  mkdirSync(join(home, "mcp-oauth"), { recursive: true });
  const files = [join(home, "auth.json"), join(scene.outside, "listener.token")];
  for (const file of [...files, join(home, "mcp-oauth/login.json")]) {
    writeFileSync(file, "hush-hush");
    chmodSync(file, 0o644);
  }
  const link = join(home, ".credentials.json");
  writeFileSync(join(scene.outside, "elsewhere.json"), "hush-hush");
  symlinkSync(join(scene.outside, "elsewhere.json"), link);
  writeFileSync(join(home, "config.toml"), "plain");
  return [...files, link];
}
