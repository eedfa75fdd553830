import { describe, expect, test } from "vitest";
import { checkValues } from "../../src/config/check/check-values.js";
import { fileShape } from "../../src/config/check/shape.generated.js";
import type { Table } from "../../src/config/toml/table.js";
import { createTestHome } from "./support/home.js";

/** Returns the keys with problems; an unknown key would be a finding of another kind. */
function problemsIn(values: object): string[] {
  const { problems, unknown, refused, ignored } = checkValues(values as Table, fileShape);
  expect([unknown, refused, ignored]).toEqual([[], [], []]);
  return problems.map(({ path }) => path.join("."));
}

const scopes = ["turn", "session", "thread", "tree", "day"];
const kinds = ["tokens", "money", "turns", "seconds"];

describe("budgets", () => {
  test.each(scopes.flatMap((scope) => kinds.map((kind) => [scope, kind])))(
    "budget.%s.%s takes amounts above 0 and nothing else",
    (scope, kind) => {
      const check = (value: unknown) =>
        problemsIn({ budget: { [scope as string]: { [kind as string]: value } } });

      for (const value of [1, 0.01, 1e12]) expect(check(value)).toEqual([]);
      for (const value of [0, -1, "5", true, [5], {}]) {
        expect(check(value)).toEqual([`budget.${scope}.${kind}`]);
      }
    },
  );

  test.each([
    [{ budget: 5 }, "budget"],
    [{ budget: { turn: 5 } }, "budget.turn"],
    [{ budget: { turn: [{ tokens: 5 }] } }, "budget.turn"],
  ])("%j is not a table of limits", (values, name) => {
    expect(problemsIn(values)).toEqual([name]);
  });
});

test("the message for an amount of 0 names the key, the value and the expectation", async () => {
  await using machine = await createTestHome({ "home/config.toml": "budget.turn.tokens = 0\n" });

  await expect(machine.load()).rejects.toThrow(/budget\.turn\.tokens.*a number above 0.*0/s);
});

describe("prices of models", () => {
  test.each([
    [{ input: 1, cached_input: 0.1, output: 2 }, true],
    [{ input: 0, output: 0 }, true],
    [{}, true],
    [{ output: 3 }, true],
    [{ input: -1 }, false],
    [{ cached_input: "1" }, false],
    [{ output: null }, false],
    [5, false],
  ])("%j is valid: %s", (price, isValid) => {
    expect(problemsIn({ model_prices: { "my-model": price } }).length === 0).toBe(isValid);
  });
});

test("budgets and prices are read from the file, by the names of models with dots", async () => {
  await using machine = await createTestHome({
    "home/config.toml": `
[budget.turn]
tokens = 1000
[budget.day]
money = 2.5
[model_prices."gpt-9.1"]
input = 1
output = 2
`,
  });
  const { settings, warnings } = await machine.load();

  expect(settings.budget).toEqual({ turn: { tokens: 1000 }, day: { money: 2.5 } });
  expect(settings.model_prices).toEqual({ "gpt-9.1": { input: 1, output: 2 } });
  expect(warnings).toEqual([]);
});

test("there are no budgets and no prices by default", async () => {
  await using machine = await createTestHome();
  const { settings } = await machine.load();

  expect([settings.budget, settings.model_prices]).toEqual([undefined, undefined]);
});
