import { expect, test } from "vitest";
import { FloodGuard } from "../../src/mcp/server-transport.js";

const mebibyte = 1024 * 1024;

test("unrequested data is allowed up to a limit that refills over time", () => {
  let now = 0;
  const guard = new FloodGuard(() => now);

  const allowed = [guard.allowsBytes(128 * mebibyte), guard.allowsBytes(mebibyte)];
  now += 2_000;
  allowed.push(guard.allowsBytes(mebibyte), guard.allowsBytes(mebibyte));

  expect(allowed).toEqual([true, false, true, false]);
});

test("an answer gives all of it back", () => {
  const guard = new FloodGuard(() => 0);

  guard.allowsBytes(128 * mebibyte);
  const isAllowed = guard.allowsMessage({ id: 1, result: {} });

  expect([isAllowed, guard.allowsBytes(128 * mebibyte)]).toEqual([true, true]);
});

test("requests and notices cost more than their length", () => {
  const countOf = (message: object) => {
    const guard = new FloodGuard(() => 0);
    let count = 0;
    while (guard.allowsMessage(message)) count++;
    return count;
  };

  expect(countOf({ method: "ping", id: 1 })).toBe(2_048);
  expect(countOf({ method: "notifications/progress" })).toBe(131_072);
});
