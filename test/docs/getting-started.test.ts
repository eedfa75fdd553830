import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { bin } from "../support/bin.js";

const run = promisify(execFile);
const own = 'model = "my-own-model"\n';

test("[embedding B5, terminal B3] the page for beginners works as it is typed and leaves their settings alone", async () => {
  const root = await mkdtemp(join(tmpdir(), "quire-docs-"));
  await Promise.all([mkdir(join(root, "bin")), mkdir(join(root, ".codex"))]);
  await symlink(bin, join(root, "bin", "quire"));
  await writeFile(join(root, ".codex/config.toml"), own);
  const page = await readFile("docs/getting-started.md", "utf8");
  const typed = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block).join("\n");
  const env = { PATH: `${join(root, "bin")}:${process.env.PATH}`, HOME: root };

  // The model may have ended by then: that is no failure of the page.
  const script = `trap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n${typed}`;
  const { stdout, stderr } = await run("bash", ["-e", "-m", "-c", script], { cwd: root, env });

  expect(stdout).toContain("There is one file here, notes.txt.");
  expect(stdout).toMatch(/^\d{4}-\d\d-\d\d.*What is here\?$/m);
  expect(stderr).toMatch(/succeeded in \d+ms:\nnotes\.txt\n(?!\S+\.\w+\n)/);
  expect(await readFile(join(root, ".codex/config.toml"), "utf8")).toBe(own);
  expect(await readdir(join(root, ".codex"))).not.toContain("sessions");
  await rm(root, { recursive: true, force: true });
});

test("[embedding B6, terminal R17] no page calls the program by the name of another package", async () => {
  const pages = ["README.md", ...(await readdir("docs")).map((name) => `docs/${name}`)];
  const texts = await Promise.all(
    pages
      .filter((name) => name.endsWith(".md"))
      .map(async (name) => ({ name, text: await readFile(name, "utf8") })),
  );
  const wrong =
    /npx quire(?!-agent|-conformance)|npm (?:install|i)\b[^\n]*\s(?:quire|quire-agent)(?=\s|$|`)/;

  expect(texts.filter(({ text }) => wrong.test(text)).map(({ name }) => name)).toEqual([]);
});
