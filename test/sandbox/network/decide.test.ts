import { expect, test } from "vitest";
import type { NetworkRules } from "../../../src/protocol/permission-rules.js";
import {
  decideAddress,
  decideConnection,
  problemOfDomainPattern,
} from "../../../src/sandbox/network/decide.js";

const rules: NetworkRules = {
  enabled: true,
  domains: {
    "example.org": "allow",
    "*.sub.org": "allow",
    "**.both.org": "allow",
    "bad.both.org": "deny",
    "region*.mid.org": "allow",
    "bücher.example": "allow",
    "10.0.0.5": "allow",
    "8.8.8.8": "allow",
    "10.0.0.9": "deny",
    "2606:4700::1": "allow",
  },
};

test.each([
  ["example.org", true],
  ["EXAMPLE.org.", true],
  ["www.example.org", false],
  ["notexample.org", false],
  ["example.org.evil.net", false],
  ["sub.org", false],
  ["a.sub.org", true],
  ["a.b.sub.org", true],
  [".sub.org", false],
  ["both.org", true],
  ["a.both.org", true],
  ["bad.both.org", false],
  ["BAD.both.org.", false],
  ["a.bad.both.org", true],
  ["region1.mid.org", true],
  ["xregion1.mid.org", false],
  ["xn--bcher-kva.example", true],
  ["BÜCHER.example", true],
  ["10.0.0.5", true],
  ["0xa.0.0.5", true],
  ["167772165", true],
  ["[::ffff:10.0.0.5]", true],
  ["10.0.0.6", false],
  ["8.8.8.8", true],
  ["8.8.4.4", false],
  ["[2606:4700:0:0::1]", true],
  ["2606:4700::2", false],
  ["127.0.0.1", false],
  ["localhost", false],
  ["", false],
  ["exa mple.org", false],
  ["example.org@evil.net", false],
  ["example.org/..", false],
  ["exa%6dple.org", false],
  ["fe80::1%eth0", false],
])("%s is decided: allowed %j", (host, allowed) => {
  expect(decideConnection(rules, host, 443).allowed).toBe(allowed);
});

const everything: NetworkRules = { enabled: true, domains: { "*": "allow", "evil.org": "deny" } };

test.each([
  ["anything.net", true],
  ["9.9.9.9", true],
  ["evil.org", false],
  ["127.0.0.1", false],
  ["127.1", false],
  ["0177.0.0.1", false],
  ["2130706433", false],
  ["0x7f000001", false],
  ["[::1]", false],
  ["[::ffff:127.0.0.1]", false],
  ["[::ffff:7f00:1]", false],
  ["[::127.0.0.1]", false],
  ["[64:ff9b::7f00:1]", false],
  ["[2002:7f00:1::]", false],
  ["0.0.0.0", false],
  ["[::]", false],
  ["10.1.2.3", false],
  ["192.168.0.1", false],
  ["172.31.0.1", false],
  ["100.64.0.1", false],
  ["169.254.169.254", false],
  ["[fd00:ec2::254]", false],
  ["[fe80::1]", false],
  ["224.0.0.1", false],
  ["255.255.255.255", false],
  ["localhost", false],
  ["LocalHost.", false],
  ["foo.localhost", false],
])("with all hosts allowed, %s is decided: allowed %j", (host, allowed) => {
  expect(decideConnection(everything, host, 80).allowed).toBe(allowed);
});

test("a name that is allowed is not connected to an address that is not on the internet", () => {
  for (const address of ["127.0.0.1", "10.0.0.6", "169.254.169.254", "::1", "::ffff:10.0.0.6"]) {
    expect(decideAddress(rules, "example.org", address)).toMatchObject({
      allowed: false,
      cause: "local-address",
    });
  }
  expect(decideAddress(rules, "example.org", "93.184.216.34").allowed).toBe(true);
});

test("an address that is listed too is permitted for an allowed name, and a denied one is not", () => {
  expect(decideAddress(rules, "example.org", "10.0.0.5").allowed).toBe(true);
  expect(decideAddress(rules, "example.org", "10.0.0.9")).toMatchObject({
    allowed: false,
    rule: '"10.0.0.9" = "deny"',
    reason: 'example.org resolves to 10.0.0.9, which is denied by "10.0.0.9" = "deny"',
  });
});

test("local addresses are permitted by a setting, except for link-local ones", () => {
  const local = { ...rules, localAddresses: true };
  const wide = { ...everything, localAddresses: true };

  expect(decideAddress(local, "example.org", "127.0.0.1").allowed).toBe(true);
  expect(decideAddress(local, "example.org", "192.168.0.1").allowed).toBe(true);
  expect(decideAddress(local, "example.org", "169.254.169.254").allowed).toBe(false);
  expect(decideConnection(wide, "localhost", 80).allowed).toBe(true);
  expect(decideConnection(local, "localhost", 80).allowed).toBe(false);
});

test("localhost is allowed by its own rule only, and then may be this machine", () => {
  const own: NetworkRules = { enabled: true, domains: { localhost: "allow" } };

  expect(decideConnection(own, "localhost", 80)).toEqual({
    allowed: true,
    rule: '"localhost" = "allow"',
  });
  expect(decideAddress(own, "localhost", "::1").allowed).toBe(true);
  expect(decideAddress(own, "localhost", "10.0.0.1").allowed).toBe(false);
});

test("the decision names the rule", () => {
  expect(decideConnection(rules, "bad.both.org", 443)).toEqual({
    allowed: false,
    cause: "deny-rule",
    rule: '"bad.both.org" = "deny"',
    reason: 'bad.both.org is denied by "bad.both.org" = "deny"',
  });
  expect(decideConnection(rules, "a.b.both.org", 443)).toEqual({
    allowed: true,
    rule: '"**.both.org" = "allow"',
  });
  expect(decideConnection(rules, "other.org", 443)).toMatchObject({
    cause: "not-allowed",
    reason: "other.org is not an allowed domain",
  });
});

test("network off denies everything, and network without domains allows everything", () => {
  const off = { enabled: false, domains: { "*": "allow" } } as const;

  expect(decideConnection(off, "example.org", 443)).toMatchObject({ allowed: false, cause: "off" });
  expect(decideConnection({ enabled: true }, "127.0.0.1", 443).allowed).toBe(true);
});

test("a list without a domain that is allowed allows all that are not denied, except for local ones", () => {
  const onlyDenied = { enabled: true, domains: { "evil.org": "deny" } } as const;

  expect(decideConnection(onlyDenied, "example.org", 443)).toEqual({ allowed: true });
  expect(decideConnection(onlyDenied, "evil.org", 443).allowed).toBe(false);
  expect(decideConnection(onlyDenied, "127.0.0.1", 443)).toMatchObject({
    allowed: false,
    reason: '127.0.0.1 is a loopback address; to permit it, add "127.0.0.1" = "allow"',
  });
  expect(decideConnection({ ...onlyDenied, localAddresses: true }, "10.0.0.1", 443).allowed).toBe(
    true,
  );
});

test("an invalid pattern is reported, and denies everything", () => {
  const broken = {
    enabled: true,
    domains: { "example.org": "allow", "http://x": "deny" },
  } as const;

  expect(problemOfDomainPattern("http://x")).toContain('(got "http://x")');
  expect(problemOfDomainPattern("*.10.0.0.1")).toBeDefined();
  expect(problemOfDomainPattern("")).toBeDefined();
  expect(problemOfDomainPattern("**.example.org")).toBeUndefined();
  expect(decideConnection(broken, "example.org", 443)).toMatchObject({ cause: "invalid" });
});

test.each([0, -1, 65_536, 1.5, Number.NaN])("port %d is refused", (port) => {
  expect(decideConnection(everything, "example.org", port).allowed).toBe(false);
});
