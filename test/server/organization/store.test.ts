import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { threadEntry } from "../../../src/server/organization/organization.js";
import { OrganizationStore } from "../../../src/server/organization/store.js";

const homes: string[] = [];
afterEach(async () => {
  for (const home of homes.splice(0)) await rm(home, { recursive: true });
});

async function createHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "quire-organization-"));
  homes.push(home);
  return home;
}

test("changes of several processes are all stored, and nothing else is left in the home", async () => {
  const home = await createHome();
  const stores = [new OrganizationStore(home), new OrganizationStore(home)];
  const names = Array.from({ length: 20 }, (_, index) => `thread-${index}`);

  await Promise.all(
    names.map((name, index) =>
      stores[index % 2]?.change((state) => {
        threadEntry(state, name).projectId = name;
      }),
    ),
  );

  for (const store of stores) {
    expect(Object.keys((await store.read()).threads).sort()).toEqual([...names].sort());
  }
  expect(await readdir(home)).toEqual(["quire-organization.json"]);
});

test("a change that throws, or changes nothing, stores nothing", async () => {
  const home = await createHome();
  const store = new OrganizationStore(home);
  const change = store.change((state) => {
    state.sections.pop();
    throw new RangeError("no");
  });

  await expect(change).rejects.toThrow("no");
  expect(await store.change(({ sections }) => sections.length)).toBe(1);
  expect(await readdir(home)).toEqual([]);
});

test("a damaged file is reported and not overwritten", async () => {
  const home = await createHome();
  const path = join(home, "quire-organization.json");
  await writeFile(path, '{"sections":');
  const store = new OrganizationStore(home);

  await expect(store.read()).rejects.toThrow(`${path} is not valid. Repair it`);
  await expect(store.change(() => undefined)).rejects.toThrow("is not valid");
});
