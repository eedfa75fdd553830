import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packTypes } from "../../scripts/pack-types.mjs";

const root = resolve(import.meta.dirname, "../..");
const tsc = join(root, "node_modules/typescript/bin/tsc");
let project = "";

// A project of a user's that has the package and the types of Node, and nothing else.
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "quire-consumer-"));
  const installed = join(project, "node_modules/quire-agent");
  await mkdir(join(project, "node_modules/@types"), { recursive: true });
  await mkdir(installed);
  await symlink(join(root, "node_modules/@types/node"), join(project, "node_modules/@types/node"));
  await cp(join(root, "package.json"), join(installed, "package.json"));
  const types = join(installed, "dist/types");
  await check(["-p", join(root, "tsconfig.types.json"), "--outDir", types]);
  const { exports } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const doors = Object.values(exports).filter((door) => typeof door === "object") as {
    types: string;
  }[];
  const entries = doors.map((door) => join(installed, door.types));
  packTypes({ types, entries, typebox: join(root, "node_modules/typebox") });
  await writeFile(join(project, "package.json"), '{"type":"module"}');
  await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions }));
}, 60_000);

afterAll(() => rm(project, { recursive: true, force: true }));

test("the package alone is enough to check a program against it", async () => {
  const names = ["approve-by-policy", "embed", "many-threads", "own-tool", "unix-socket-client"];
  for (const name of names) {
    await cp(join(root, "examples", `${name}.mjs`), join(project, `${name}.mjs`));
  }
  await writeFile(join(project, "wrong.ts"), wrong);

  const said = await check(["-p", project]);

  // The examples are right; a number that is a text, and a method that is none, are noticed.
  expect(said.match(/[^/\s]+\(\d+,/g)).toEqual(["wrong.ts(4,", "wrong.ts(7,", "wrong.ts(10,"]);
}, 60_000);

const wrong = `import { connectAppServer } from "quire-agent/client";
const client = await connectAppServer("unix:///s");
const { data } = await client.request("thread/list", {});
const id: number = data[0]!.id;
client.onNotification((one) => {
  if (one.method !== "item/completed" || one.params.item.type !== "agentMessage") return;
  const text: number = one.params.item.text;
  console.log(text, id);
});
await client.request("thread/rename", {});
`;

const compilerOptions = {
  target: "es2023",
  module: "nodenext",
  moduleResolution: "nodenext",
  strict: true,
  noEmit: true,
  allowJs: true,
  checkJs: true,
  skipLibCheck: false,
  types: ["node"],
};

/** What the compiler complains of. */
async function check(args: string[]): Promise<string> {
  try {
    await promisify(execFile)(process.execPath, [tsc, ...args], { cwd: root });
    return "";
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
