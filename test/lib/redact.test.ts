import { expect, test } from "vitest";
import { createRedactor } from "../../src/lib/redact.js";

test("a secret is redacted as plain text, in JSON and in JSON within JSON", () => {
  const secret = 'pass"word\\1';
  const redact = createRedactor([secret]);
  const json = JSON.stringify({ value: secret });

  expect(redact(`is ${secret}.`)).toBe("is [REDACTED].");
  expect(redact(json)).toBe('{"value":"[REDACTED]"}');
  expect(JSON.parse(redact(JSON.stringify({ arguments: json })))).toEqual({
    arguments: '{"value":"[REDACTED]"}',
  });
});

test("nothing remains of a secret that starts with another", () => {
  const redact = createRedactor(["hush-hush", "hush-hush-0815"]);

  expect(redact("hush-hush-0815 hush-hush")).toBe("[REDACTED] [REDACTED]");
});
