import { expect, test } from "vitest";
import { intersectRules } from "../../../src/config/permissions/intersect.js";
import type { NetworkRules } from "../../../src/protocol/permission-rules.js";

const paths = { cwd: "/work", tmpdir: undefined };
const rules = (network: NetworkRules) =>
  ({ base: "restricted", files: [], network, workspaceRoots: [] }) as const;

test.each<[string, NetworkRules, NetworkRules, NetworkRules]>([
  [
    "limited methods",
    { enabled: true, mode: "limited" },
    { enabled: true },
    { enabled: true, mode: "limited" },
  ],
  [
    "no SOCKS5",
    { enabled: true },
    { enabled: true, socks5: false },
    { enabled: true, socks5: false },
  ],
  ["no network", { enabled: true }, { enabled: false }, { enabled: false }],
  [
    "no local addresses",
    { enabled: true, localAddresses: true },
    { enabled: true },
    { enabled: true },
  ],
])("rules that both apply keep %s", (_, own, other, expected) => {
  for (const [a, b] of [
    [own, other],
    [other, own],
  ] as const) {
    expect(intersectRules(rules(a), rules(b), paths).network).toEqual(expected);
  }
});
