import { expect, test } from "vitest";
import type { Config } from "../../src/config/index.js";
import { IgnoredSettings } from "../../src/server/ignored-settings.js";

/** Creates a warner that records the warnings to all clients. */
function createWarner() {
  const toAll: string[] = [];
  const warner = new IgnoredSettings(({ summary }) => toAll.push(summary));
  const load = (...ignored: string[]) =>
    warner.quietly(async () => ({ ignored, constrained: [] }) as unknown as Config)({
      type: "configure_session",
    });
  return { warner, toAll, load };
}

test("a thread does not report ignored settings itself", async () => {
  const { load } = createWarner();

  expect((await load("a", "b")).ignored).toEqual([]);
});

test("settings of threads are reported to all clients once", async () => {
  const { load, toAll } = createWarner();

  await load("first");
  await load("first");
  await load("first", "second");
  await expect.poll(() => toAll.length).toBe(2);

  expect(toAll[0]).toContain("first");
  expect(toAll[1]).toContain("second");
  expect(toAll[1]).not.toContain("first");
});

test("settings that a client was warned of are not reported to all", async () => {
  const { warner, load, toAll } = createWarner();
  const own: string[] = [];

  warner.warnClient(Promise.resolve(["known"]), ({ summary }) => own.push(summary));
  await load("known");
  await load("new");
  await expect.poll(() => toAll.length).toBe(1);

  expect(own.length).toBe(1);
  expect(toAll[0]).toContain("new");
  expect(toAll[0]).not.toContain("known");
});

test("a client is not warned if nothing is ignored or the settings cannot be read", async () => {
  const { warner, load, toAll } = createWarner();
  const own: string[] = [];

  warner.warnClient(Promise.resolve([]), ({ summary }) => own.push(summary));
  warner.warnClient(Promise.reject(new Error("invalid")), ({ summary }) => own.push(summary));
  await load("later");
  await expect.poll(() => toAll.length).toBe(1);

  expect(own).toEqual([]);
});
