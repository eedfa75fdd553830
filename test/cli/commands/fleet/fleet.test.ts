import { expect, test } from "vitest";
import { createInProcessUser } from "../../support/in-process.js";

test("fleet without a verb prints its help and fails", async () => {
  using user = createInProcessUser();

  const { code, stderr } = await user.run(["fleet"]);

  expect(code).toBe(2);
  expect(stderr).toContain("List workers and threads");
});

test.each([
  [["fleet", "pss"], "Unknown command `quire fleet pss`. Did you mean `quire fleet ps`?"],
  [["fleet", "ps"], "Expected --nats URL"],
  [["fleet", "ps", "--nats", "http://x"], "Expected the address of a broker"],
])("%j fails with %s", async (args, message) => {
  using user = createInProcessUser();

  const { code, stderr } = await user.run(args);

  expect(code).not.toBe(0);
  expect(stderr).toContain(message);
});

test("ps of an empty fleet has no workers and no threads", async () => {
  using user = createInProcessUser();

  const { code, stdout } = await user.run(["fleet", "ps", "--nats", "memory:", "--json"]);

  expect({ code, fleet: JSON.parse(stdout) }).toEqual({
    code: 0,
    fleet: { workers: [], threads: [] },
  });
});
