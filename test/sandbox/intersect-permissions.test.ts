import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { intersectPermissions } from "../../src/sandbox/index.js";

const root = realpathSync(mkdtempSync(join(tmpdir(), "quire-granted-")));
const asked = join(root, "asked");
mkdirSync(join(asked, "inner"), { recursive: true });
mkdirSync(join(root, "asked-not"));
symlinkSync(root, join(asked, "up"));
symlinkSync(join(asked, "inner"), join(asked, "down"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const profile = { network: null, file_system: { write: [asked], read: ["/etc"] } };

test.each<[string, string[], string[] | undefined]>([
  ["the place itself", [asked], [asked]],
  ["a place in it", [join(asked, "inner")], [join(asked, "inner")]],
  ["a place in it that is not there yet", [join(asked, "new")], [join(asked, "new")]],
  ["a link in it to a place in it", [join(asked, "down")], [join(asked, "inner")]],
  ["the same place twice", [asked, `${asked}/inner/..`], [asked]],
  ["the folder around it", [root], undefined],
  ["the whole file system", ["/"], undefined],
  ["a way out of it", [`${asked}/..`, `${asked}/inner/../../asked-not`], undefined],
  ["a link in it that leads out of it", [join(asked, "up")], undefined],
  ["a place behind that link", [join(asked, "up", "asked-not")], undefined],
  ["a place that begins like it", [join(root, "asked-not")], undefined],
  ["a place that may only be read", ["/etc"], undefined],
  ["a path that is not absolute", ["asked", ""], undefined],
])("among writable paths, %s", (_, write, granted) => {
  const answer = intersectPermissions(profile, { file_system: { write } });

  expect(answer).toEqual({
    network: null,
    file_system: granted === undefined ? null : { write: granted },
  });
});

test("write access includes read access, and only requested paths are granted", () => {
  const read = [asked, "/etc/hosts", "/usr"];

  expect(intersectPermissions(profile, { file_system: { read } })).toEqual({
    network: null,
    file_system: { read: [asked, realpathSync("/etc/hosts")] },
  });
});

test.each([
  [true, true, { enabled: true }],
  [true, false, null],
  [true, undefined, null],
  [false, true, null],
  [undefined, true, null],
])("the network asked for with %s and answered with %s", (one, other, granted) => {
  const network = (enabled: boolean | undefined) =>
    enabled === undefined ? {} : { network: { enabled } };

  expect(intersectPermissions(network(one), network(other))).toEqual({
    network: granted,
    file_system: null,
  });
});
