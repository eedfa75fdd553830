import { expect, test } from "vitest";
import {
  createRedactor,
  headerSecrets,
  urlSecrets,
  withoutCredentials,
} from "../../src/lib/redact.js";

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

test("the credentials of a request are found in its headers and its address", () => {
  const headers = { authorization: "Bearer hush-1", "x-api-key": "hush-2", accept: "text/plain" };
  const url = "https://me:hush%203@a.example/v1?api-key=hush-4&api-version=2025";

  expect(headerSecrets(headers)).toEqual(["hush-1", "hush-2"]);
  expect(urlSecrets(url)).toEqual(["me", "me", "hush%203", "hush 3", "hush-4"]);
  expect(urlSecrets("https://a.example/v1")).toEqual(["", "", "", ""]);
  expect(withoutCredentials(url)).toBe("https://a.example/v1");
});

test("an address that cannot be parsed stays as it is", () => {
  expect(urlSecrets("no address")).toEqual([]);
  expect(withoutCredentials("no address")).toBe("no address");
  expect(urlSecrets("http://%zz:x@a.example")).toContain("%zz");
});
