import fc from "fast-check";
import { expect, test } from "vitest";
import { createUuidSource, isUuid, randomBytes, randomUuid } from "../../src/lib/ids.js";

test("UUIDs of version 7 increase even if the clock goes back", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 2 ** 42 }), { minLength: 2 }), (times) => {
      let call = 0;
      const next = createUuidSource(() => times[call++] ?? 0);
      const ids = times.map(() => next());

      expect([...ids].sort()).toEqual(ids);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.every((id) => isUuid(id) && id[14] === "7" && /[89ab]/.test(id[19] ?? ""))).toBe(
        true,
      );
    }),
  );
});

test("more UUIDs than the counter of one millisecond holds still rise", () => {
  const next = createUuidSource(() => 1_700_000_000_000);
  const ids = Array.from({ length: 5_000 }, () => next());

  expect(ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? ""))).toBe(true);
});

test("the time of a UUID is readable in its first digits", () => {
  const next = createUuidSource(() => 0x0123456789ab);

  expect(next().slice(0, 13)).toBe("01234567-89ab");
});

test("random UUIDs have version 4 and differ", () => {
  const ids = Array.from({ length: 200 }, () => randomUuid());

  expect(new Set(ids).size).toBe(200);
  expect(ids.every((id) => isUuid(id) && id[14] === "4" && /[89ab]/.test(id[19] ?? ""))).toBe(true);
});

test("random bytes belong to the caller: changing them changes no later ones", () => {
  const first = randomBytes(16);
  const copy = Buffer.from(first);
  const second = randomBytes(16);
  second.fill(0);

  expect(first).toEqual(copy);
  expect(randomBytes(16).equals(second)).toBe(false);
});

test.each([
  ["01234567-89ab-7cde-8f01-23456789abcd", true],
  ["01234567-89AB-7CDE-8F01-23456789ABCD", true],
  ["0123456789ab7cde8f0123456789abcd", false],
  ["01234567-89ab-7cde-8f01-23456789abcg", false],
  ["01234567-89ab-7cde-8f01-23456789abcd\n", false],
  ["", false],
])("%j is a UUID: %j", (text, expected) => {
  expect(isUuid(text)).toBe(expected);
});
