import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { openBrowser } from "../../src/auth/index.js";
import { makeHome } from "./home.js";

test("the URL is one argument, whatever it contains", async () => {
  await using dir = await makeHome();
  const bin = join(dir.home, "bin");
  const said = join(dir.home, "said");
  await mkdir(bin);
  await writeFile(
    join(bin, "xdg-open"),
    `#!/bin/sh\nprintf '%s' "$@" > ${said}.new\nmv ${said}.new ${said}\n`,
  );
  await chmod(join(bin, "xdg-open"), 0o755);
  const env = { PATH: [bin, process.env.PATH].join(delimiter), DISPLAY: ":9" };
  const url = "https://example.com/?a=1&b=$(id)";

  expect(await openBrowser(url, { platform: "linux", env })).toBe(true);

  await expect.poll(() => readFile(said, "utf8").catch(() => "")).toBe(url);
});

test.each([
  ["no screen", "https://example.com", {}],
  ["no program for it", "https://example.com", { DISPLAY: ":9" }],
  ["no page", "file:///etc/passwd", { DISPLAY: ":9" }],
])("with %s nothing is opened and nothing fails", async (_, url, env) => {
  await using dir = await makeHome();

  expect(await openBrowser(url, { platform: "linux", env: { PATH: dir.home, ...env } })).toBe(
    false,
  );
});
