import { expect, test } from "vitest";
import { parseRules } from "../../../src/shell/index.js";
import { normalizeHost } from "../../../src/shell/rules/network-rule.js";

test.each([
  ["example.com", "example.com"],
  ["  EXAMPLE.com.  ", "example.com"],
  ["example.com:8443", "example.com"],
  ["127.0.0.1:80", "127.0.0.1"],
  ["[::1]", "::1"],
  ["[2001:DB8::1]:443", "2001:db8::1"],
  ["::1", "::1"],
  ["localhost...", "localhost"],
])("%j is the host %j", (text, value) => {
  expect(normalizeHost(text)).toEqual({ ok: true, value });
});

test.each([
  ["", "cannot be empty"],
  ["  ", "cannot be empty"],
  ["...", "cannot be empty"],
  ["https://example.com", "without scheme or path"],
  ["example.com/path", "without scheme or path"],
  ["example.com?x", "without scheme or path"],
  ["example.com#x", "without scheme or path"],
  ["[::1", "invalid bracketed IPv6 literal"],
  ["[::1]:x", "unsupported suffix: [::1]:x"],
  ["*.example.com", "wildcards are not allowed"],
  ["exa mple.com", "cannot contain whitespace"],
])("%j is no host: it %s", (text, problem) => {
  const host = normalizeHost(text);

  expect(host).toMatchObject({ ok: false, problem: expect.stringContaining(problem) });
});

test.each([
  ["http", "http"],
  ["https", "https"],
  ["https_connect", "https"],
  ["http-connect", "https"],
  ["socks5_tcp", "socks5_tcp"],
  ["socks5_udp", "socks5_udp"],
])("the protocol %j is read as %j", (written, protocol) => {
  const text = `network_rule("a.com", "${written}", "allow", justification = "why")`;

  expect(parseRules([{ name: "a.rules", text }]).networkRules).toEqual([
    { host: "a.com", protocol, decision: "allow", justification: "why" },
  ]);
});

test.each([
  ["allow", "allow"],
  ["prompt", "prompt"],
  ["forbidden", "forbidden"],
  ["deny", "forbidden"],
])("the decision %j is %j", (written, decision) => {
  const text = `network_rule("a.com", "http", "${written}")`;

  expect(parseRules([{ name: "a.rules", text }]).networkRules[0]?.decision).toBe(decision);
});
