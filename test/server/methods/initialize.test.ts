import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { ownName } from "../../../src/server/methods/initialize.js";

test("the server's version is that of the package", async () => {
  const path = resolve(import.meta.dirname, "../../../package.json");
  const { version } = JSON.parse(await readFile(path, "utf8")) as { version: string };

  expect(ownName).toEqual({ name: "quire", version });
});
