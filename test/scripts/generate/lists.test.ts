import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { generateLists } from "../../../scripts/generate/lists.js";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "quire-lists-"));
  await cp("src/protocol", join(root, "src/protocol"), { recursive: true });
});
afterEach(() => rm(root, { recursive: true, force: true }));

test("an op and its event are added by one declaration each, in one file", async () => {
  await append(
    "sqeq/ops/listing.ts",
    `export const PingOp = Type.Object({ type: Type.Literal("ping") }, { $id: "PingOp" });
export interface PingOp extends Static<typeof PingOp> {}
export const PongEvent = Type.Object(
  { type: Type.Literal("pong") },
  { $id: "PongEvent" },
);
export interface PongEvent extends Static<typeof PongEvent> {}`,
  );

  const lists = generateLists(root);

  expect(lists.get("src/protocol/sqeq/ops.generated.ts")).toMatch(/^ {2}\| PingOp;?$/m);
  expect(lists.get("src/protocol/sqeq/events.generated.ts")).toMatch(/^ {2}\| PongEvent;?$/m);
  expect(publicNames(lists)).toEqual(expect.arrayContaining(["PingOp", "PongEvent"]));
});

test("a new resource of v2 is listed", async () => {
  await writeFile(
    join(root, "src/protocol/rpc/v2/server-health.ts"),
    'import Type from "typebox";\nexport const healthMethods = [];\n',
  );

  expect(generateLists(root).get("src/protocol/rpc/v2/resources.generated.ts")).toContain(
    'import * as serverHealth from "./server-health.js";',
  );
});

test("types, values and `@internal` exports are told apart", async () => {
  await writeFile(
    join(root, "src/protocol/extra.ts"),
    [
      "/** A type. */\nexport interface OnlyType {}",
      "/** A schema. */\nexport const Both = 1;\nexport type Both = number;",
      "/**\n * A helper.\n *\n * @internal\n */\nexport function hidden() {}",
      "/** A function. */\nexport function shown() {}",
    ].join("\n\n"),
  );

  expect(generateLists(root).get("src/protocol/index.ts")).toContain(
    'export { Both, type OnlyType, shown } from "./extra.js";',
  );
});

test("missing and conflicted generated files do not matter", async () => {
  const before = generateLists(root);
  await rm(join(root, "src/protocol/sqeq/ops.generated.ts"));
  await writeFile(join(root, "src/protocol/index.ts"), "<<<<<<< HEAD\n");

  expect(generateLists(root)).toEqual(before);
});

function publicNames(lists: Map<string, string>): string[] {
  const index = lists.get("src/protocol/index.ts") ?? "";
  return [...index.matchAll(/export \{ ([^}]*) \}/g)].flatMap(([, names = ""]) =>
    names.split(", ").map((name) => name.replace("type ", "")),
  );
}

async function append(file: string, text: string): Promise<void> {
  const path = join(root, "src/protocol", file);
  await writeFile(path, `${await readFile(path, "utf8")}\n${text}\n`);
}
