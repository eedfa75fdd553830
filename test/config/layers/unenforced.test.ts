import { expect, test } from "vitest";
import { assertEnforceable } from "../../../src/config/index.js";
import { createTestHome } from "../support/home.js";

test.each<[string, Record<string, string>, string]>([
  [
    "requirements",
    { "etc/requirements.toml": '\nallowed_sandbox_modes = ["read-only"]\n' },
    "etc/requirements.toml:2: `allowed_sandbox_modes`",
  ],
  [
    "requirements that cannot be read",
    { "etc/requirements.toml": "= 1" },
    "etc/requirements.toml: `requirements`: it cannot be read",
  ],
  [
    "a policy of the administrator",
    { "etc/managed_config.toml": 'sandbox_mode = "read-only"\n' },
    "etc/managed_config.toml:1: `sandbox_mode`",
  ],
])("[clients section 5] %s cannot be enforced, so nothing starts", async (_, files, message) => {
  await using machine = await createTestHome(files);

  const config = await machine.load();

  expect(() => assertEnforceable(config)).toThrow(machine.path(message));
});

test.each<[string, Record<string, string>]>([
  ["empty tables", { "home/config.toml": "[permissions]\n" }],
  ["empty requirements", { "etc/requirements.toml": "# nothing yet\n[rules]\n" }],
  ["defaults of the administrator", { "etc/managed_config.toml": 'model = "x"\n' }],
])("[clients section 5] a file with %s forbids nothing", async (_, files) => {
  await using machine = await createTestHome(files);

  expect((await machine.load()).unenforced).toEqual([]);
});
