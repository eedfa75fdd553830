import { expect, test } from "vitest";
import { createInProcessUser } from "../../support/in-process.js";

const broker = ["--nats", "memory:"];
const pool = [...broker, "--pool", "main"];

test.each([
  [[], "Expected --pool NAME"],
  [pool, "Expected --workspace-root DIR"],
  [
    ["--pool", "a b", "--workspace-root", "."],
    'Expected --pool to have letters, digits, - and _ only (got "a b")',
  ],
  [
    [...pool, "--workspace-root", ".", "--lease", "soon"],
    'Expected --lease to be a number of at least 0.2 (got "soon")',
  ],
  [
    [...pool, "--workspace-root", ".", "--max-threads", "0"],
    'Expected --max-threads to be a number of at least 1 (got "0")',
  ],
])("fleet worker %j fails with %s", async (args, message) => {
  using user = createInProcessUser();

  const { code, stderr } = await user.run(["fleet", "worker", ...args]);

  expect(code).not.toBe(0);
  expect(stderr).toContain(message);
});
