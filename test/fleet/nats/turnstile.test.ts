import { expect, test } from "vitest";
import { Turnstile } from "../../../src/fleet/nats/turnstile.js";
import { createDeferred } from "../../../src/lib/async.js";

test("a few pieces of work run at a time, in order, also after one has failed", async () => {
  const turnstile = new Turnstile(2);
  const work = ["a", "b", "c", "d"].map((name) => ({ name, end: createDeferred<string>() }));
  const started: string[] = [];
  const results = work.map(({ name, end }) =>
    turnstile.pass(() => {
      started.push(name);
      return end.promise;
    }),
  );
  const [a, b, c, d] = work;

  expect(started).toEqual(["a", "b"]);
  b?.end.reject(new Error("b fails"));
  await expect(results[1]).rejects.toThrow("b fails");
  expect(started).toEqual(["a", "b", "c"]);
  for (const one of [a, c, d]) one?.end.resolve(one.name);

  expect(await Promise.all([results[0], results[2], results[3]])).toEqual(["a", "c", "d"]);
  expect(await turnstile.pass(async () => "again")).toBe("again");
});
