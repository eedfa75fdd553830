import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { bundledPackages, noticesText } from "../../scripts/notices.mjs";

const root = resolve(import.meta.dirname, "../..");
const notices = readFileSync(join(root, "dist/THIRD-PARTY-NOTICES.txt"), "utf8");

/** The packages with a text behind their name and license. */
const named = new Set(
  [...notices.matchAll(/^(\S+) \d\S*\nLicense: \S.*\n\n\S/gm)].map(([, name = ""]) => name),
);

test("[embedding B7] every package whose code is in the library has its license shipped", () => {
  const chunks = readdirSync(join(root, "dist"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js") && !name.startsWith("cli/"))
    .map((name) => readFileSync(join(root, "dist", name), "utf8"));
  // esbuild names the file in front of what it put in.
  const paths = chunks.flatMap((text) => [...text.matchAll(/^\s*\/\/ (node_modules\/\S+)$/gm)]);
  const used = new Set(paths.map(([, path = ""]) => packageOf(path)));

  expect(used.size).toBeGreaterThan(5);
  expect([...used].filter((name) => !named.has(name))).toEqual([]);
});

test("[embedding B7] so has every package that the source imports", () => {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(root, "src", name), "utf8"));
  const imports =
    /^(?:import|export)(?! type)\b[^;"]*?\bfrom "([^."][^"]*)"|\bimport\("([^."][^"]*)"\)/gm;
  const used = new Set(
    files
      .flatMap((text) => [...text.matchAll(imports)].map(([, one, other]) => one ?? other ?? ""))
      .filter((name) => !name.startsWith("node:") && !name.startsWith("@lydell/"))
      .map((name) => packageOf(`node_modules/${name}`)),
  );

  expect(used.size).toBeGreaterThan(5);
  expect([...used].filter((name) => !named.has(name))).toEqual([]);
});

test("[embedding B7] a package inside another one is listed by itself, with its text", () => {
  const inputs = {
    "src/index.ts": {},
    "node_modules/@grpc/grpc-js/build/src/index.js": {},
    "node_modules/a/node_modules/b/index.js": {},
  };

  expect(bundledPackages([{ inputs }])).toEqual([
    "node_modules/@grpc/grpc-js",
    "node_modules/a/node_modules/b",
  ]);
  expect(noticesText(root, ["node_modules/ws"])).toContain("Permission is hereby granted");
});

function packageOf(path: string): string {
  const inner = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  return inner.split("/", inner.startsWith("@") ? 2 : 1).join("/");
}
