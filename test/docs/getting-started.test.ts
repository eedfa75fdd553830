import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);

test("the page for beginners works as it is typed", async () => {
  const root = await mkdtemp(join(tmpdir(), "quire-docs-"));
  await mkdir(join(root, "bin"));
  await symlink(resolve("bin/quire.js"), join(root, "bin", "quire"));
  const page = await readFile("docs/getting-started.md", "utf8");
  const port = await freePort();
  const typed = [...page.matchAll(/^```sh\n(.*?)^```/gms)]
    .map(([, block]) => block)
    .join("\n")
    .replaceAll("4517", String(port)); // tests run beside each other
  const env = { PATH: `${join(root, "bin")}:${process.env.PATH}`, HOME: root };

  const script = `trap 'kill $(jobs -p) 2> /dev/null' EXIT\n${typed}`;
  const { stdout } = await run("bash", ["-e", "-m", "-c", script], { cwd: root, env });

  expect(stdout).toContain("There is one file here, answers.json.");
  expect(stdout).toMatch(/^\d{4}-\d\d-\d\d.*What is here\?$/m);
  await rm(root, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return typeof address === "object" && address !== null ? address.port : 0;
}
