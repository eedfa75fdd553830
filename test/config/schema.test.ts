import { readFile } from "node:fs/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { checkValues } from "../../src/config/check/check-values.js";
import { fileShape } from "../../src/config/check/shape.generated.js";
import type { Table } from "../../src/config/toml/table.js";

const check = new Ajv2020({ strict: false }).compile(
  JSON.parse(await readFile("schema/config.schema.json", "utf8")) as object,
);

const right = `
model = "m"
notify = ["a"]
[tui]
notifications = ["x"]
[mcp_servers.a]
command = "c"
env = { A = "1" }
startup_timeout_sec = 1.5
[[skills.config]]
path = "p"
enabled = false
[projects."/p"]
trust_level = "trusted"
`;

test.each([
  [right, true],
  ["model = 1", false],
  ["notify = 'a'", false],
  ["model_context_window = 1.5", false],
  ["model_context_window = 0", false],
  ["approval_policy = 'sometimes'", false],
  ["[tui]\nnotifications = 1", false],
  ["[projects]\n'/p' = 'trusted'", false],
  ["[mcp_servers.a]\nargs = [1]", false],
  ["mcp_oauth_callback_port = 70000", false],
  ["[[skills.config]]\nenabled = 'no'", false],
])("the schema for editors and our own check agree on %j", (text, isRight) => {
  const values = parse(text);

  expect(check(values)).toBe(isRight);
  expect(checkValues(values as Table, fileShape).problems.length === 0).toBe(isRight);
});
