import { expect, test } from "vitest";
import { refusalCode, refusalText } from "../../src/model/refusal-text.js";
import { unexpectedStatusText } from "../../src/model/unexpected-status.js";

const facts = { statusLine: "400 Bad Request", url: "https://a.example/v1/responses" };
const shown = "(status 400 Bad Request, url: https://a.example/v1/responses)";

test.each([
  ['{"error":{"message":"No such model"}}', "No such model"],
  ['{"error":{"detail":"No such model"}}', "No such model"],
  ['{"error":"No such model"}', "No such model"],
  ['{"message":"No such model"}', "No such model"],
  ['{"detail":"No such model"}', "No such model"],
  ["No such\n  model", "No such model"],
  ["<html><title> Bad gateway </title><p>x</p></html>", "Bad gateway"],
  ["<p>Bad <b>gateway</b></p><script>x()</script>", "Bad gateway"],
  ["", "The model's server gave no reason"],
  ["  ", "The model's server gave no reason"],
])("the body %j has the message %j", (body, message) => {
  expect(refusalText({ ...facts, body })).toBe(`${message} ${shown}`);
});

test("a long message is shortened", () => {
  expect(refusalText({ ...facts, body: "x".repeat(5000) })).toBe(`${"x".repeat(1000)}… ${shown}`);
});

test("the request id and the attempt are named", () => {
  const text = refusalText({
    ...facts,
    body: "busy",
    requestId: "req_1",
    attempt: { number: 2, of: 5 },
  });

  expect(text).toMatch(/, request id: req_1, attempt 2 of 5\)$/);
});

test.each([
  ['{"error":{"code":"context_length_exceeded","type":"invalid"}}', "context_length_exceeded"],
  ['{"error":{"type":"invalid_request_error"}}', "invalid_request_error"],
  ['{"code":"x"}', "x"],
  ['{"error":{"code":7}}', undefined],
  ["text", undefined],
  ["", undefined],
])("the body %j has the code %j", (body, code) => {
  expect(refusalCode(body)).toBe(code);
});

test.each([
  ['{"error":{"message":" Denied "}}', "unexpected status 403 Forbidden: Denied"],
  ["plain text", "unexpected status 403 Forbidden: plain text"],
  ["", "unexpected status 403 Forbidden: Unknown error"],
  ["x".repeat(1500), `unexpected status 403 Forbidden: ${"x".repeat(1000)}...`],
  [`${"x".repeat(999)}é`, `unexpected status 403 Forbidden: ${"x".repeat(999)}...`],
])("an unexpected status with the body %j is described", (body, text) => {
  expect(unexpectedStatusText({ statusLine: "403 Forbidden", body })).toBe(text);
});

test("an unexpected status names the facts that it has", () => {
  const answer = { statusLine: "500 Oops", body: "x", url: "u", cfRay: "ray", requestId: "id" };

  expect(unexpectedStatusText(answer)).toBe(
    "unexpected status 500 Oops: x, url: u, cf-ray: ray, request id: id",
  );
});

test("a page of Cloudflare is explained", () => {
  const body = "<html>Cloudflare: you have been blocked</html>";
  const text = unexpectedStatusText({ statusLine: "403 Forbidden", body });

  expect(text).toContain("Access blocked by Cloudflare");
  expect(unexpectedStatusText({ statusLine: "500 Error", body })).not.toContain("Access blocked");
});
