import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { sbomText } from "../../scripts/sbom.mjs";

const root = resolve(import.meta.dirname, "../..");

test("the list of built-in packages names those of the notices, with versions and licenses", () => {
  const { components } = JSON.parse(readFileSync(join(root, "dist/sbom.cdx.json"), "utf8"));
  const notices = readFileSync(join(root, "dist/THIRD-PARTY-NOTICES.txt"), "utf8");
  const noticed = [...notices.matchAll(/^(\S+) (\d\S*)\nLicense: \S.*\n/gm)];
  const listed = components.map(
    ({ name, version }: { name: string; version: string }) => `${name} ${version}`,
  );

  expect(listed.length).toBeGreaterThan(5);
  expect(listed.sort()).toEqual(noticed.map(([, name, version]) => `${name} ${version}`).sort());
});

test("the list is the same for the same packages, and names a package once", () => {
  const text = sbomText(root, ["node_modules/ws", "node_modules/@grpc/grpc-js", "node_modules/ws"]);

  expect(text).toBe(sbomText(root, ["node_modules/@grpc/grpc-js", "node_modules/ws"]));
  const { components, serialNumber } = JSON.parse(text);
  expect(components.map(({ purl }: { purl: string }) => purl.split("@")[0])).toEqual([
    "pkg:npm/%40grpc/grpc-js",
    "pkg:npm/ws",
  ]);
  expect(serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});
