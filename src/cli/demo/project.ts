import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** A small project with a mistake in it, in a temporary folder. */
export interface DemoProject {
  workspace: string;
  home: string;
  remove(): Promise<void>;
}

/** Makes the project of the demo; whoever makes it removes it. */
export async function createDemoProject(): Promise<DemoProject> {
  const root = await mkdtemp(join(tmpdir(), "quire-demo-"));
  const [workspace, home] = [join(root, "greeter"), join(root, "home")];
  await Promise.all([mkdir(workspace), mkdir(home)]);
  for (const [name, text] of Object.entries(files)) await writeFile(join(workspace, name), text);
  await initRepository(workspace);
  return { workspace, home, remove: () => rm(root, { recursive: true, force: true }) };
}

const files = {
  "greet.js": `exports.greet = (name) => "Hello, " + name + "?";\n`,
  "test.js": `const assert = require("node:assert");
const { greet } = require("./greet.js");

assert.strictEqual(greet("world"), "Hello, world!");
console.log("1 test passed");
`,
};

/** The demo works without git too; only its diff is then shown without commits. */
async function initRepository(folder: string): Promise<void> {
  const git = (...args: string[]) =>
    promisify(execFile)("git", [
      "-C",
      folder,
      "-c",
      "core.hooksPath=/dev/null",
      "-c",
      "user.name=demo",
      "-c",
      "user.email=demo@localhost",
      ...args,
    ]);
  try {
    await git("init", "--quiet");
    await git("add", ".");
    await git("commit", "--quiet", "--no-gpg-sign", "--message", "A greeter");
  } catch {
    // no git on this machine
  }
}
