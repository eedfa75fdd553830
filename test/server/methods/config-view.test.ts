import { expect, test } from "vitest";
import { eraOf } from "../../../src/compat/index.js";
import { toShownConfig } from "../../../src/server/methods/config-view.js";

const current = eraOf("current");
const older = eraOf("0.104");

test.each([
  ["current", current],
  ["0.104", older],
])("in %s every known key is returned, `null` if unset", (_, era) => {
  const shown = toShownConfig({ model: "gpt-5" }, era);

  expect(shown.model).toBe("gpt-5");
  expect(shown).toMatchObject({ model_provider: null, profile: null, tools: null });
});

test("tables get the fields that clients expect", () => {
  const shown = toShownConfig(
    {
      sandbox_workspace_write: { network_access: true },
      analytics: {},
      profiles: { fast: { model: "o3" }, broken: 1 },
    },
    current,
  );

  expect(shown.sandbox_workspace_write).toEqual({
    writable_roots: [],
    network_access: true,
    exclude_tmpdir_env_var: false,
    exclude_slash_tmp: false,
  });
  expect(shown.analytics).toMatchObject({ enabled: null });
  expect(shown.profiles).toMatchObject({ fast: { model: "o3" }, broken: 1 });
  expect((shown.profiles as { fast: object }).fast).toHaveProperty("model_provider", null);
});

test("permission profiles have their unset fields", () => {
  const filesystem = { ":root": "read" };
  const { permissions } = toShownConfig({ permissions: { a: { filesystem } } }, eraOf("0.166"));

  expect(permissions).toEqual({
    a: {
      description: null,
      extends: null,
      workspace_roots: null,
      filesystem: { glob_scan_max_depth: null, ":root": "read" },
      network: null,
    },
  });
  expect(toShownConfig({}, eraOf("0.166")).permissions).toBeNull();
});

test("a value that is not a table is replaced", () => {
  const shown = toShownConfig({ profiles: 1, tools: true, sandbox_workspace_write: [] }, current);

  expect(shown).toMatchObject({ profiles: {}, tools: null });
});

test("settings become JSON: dates are strings, large integers numbers", () => {
  const date = new Date("2026-01-02T03:04:05Z");

  const shown = toShownConfig({ released: date, limit: 12n }, current);

  expect(shown).toMatchObject({ released: "2026-01-02T03:04:05.000Z", limit: 12 });
});

test("unknown settings are kept", () => {
  expect(toShownConfig({ mine: { a: [1] } }, current).mine).toEqual({ a: [1] });
});
