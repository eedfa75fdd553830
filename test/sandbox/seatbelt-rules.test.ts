import { expect, test } from "vitest";
import type {
  FileAccess,
  FileRule,
  PermissionRules,
  RulePlace,
} from "../../src/protocol/permission-rules.js";
import { RuleFiles } from "../../src/sandbox/rules/rule-files.js";
import { seatbeltArguments } from "../../src/sandbox/seatbelt.js";
import { globPattern, pathPattern } from "../../src/sandbox/seatbelt-pattern.js";
import { planSeatbelt } from "../../src/sandbox/seatbelt-sandbox.js";

const project = "/Users/me/project";
const special = (name: "root" | "workspace_roots" | "minimal", subpath?: string): RulePlace => ({
  type: "special",
  name,
  ...(subpath === undefined ? {} : { subpath }),
});
const rule = (place: RulePlace, access: FileAccess): FileRule => ({
  place,
  access,
  origin: `the rule for ${place.type === "glob" ? place.pattern : JSON.stringify(place)}`,
});
const reads = rule(special("root"), "read");
const writes = rule(special("workspace_roots"), "write");
const secret = rule(special("workspace_roots", "secret.env"), "deny");
const keys = rule({ type: "glob", pattern: "**/*.key" }, "deny");

const usual: PermissionRules = {
  id: "work",
  base: "restricted",
  files: [reads, writes],
  network: { enabled: false },
  workspaceRoots: [],
};

/** Plans a command as on a Mac; none of the files exist here. */
function plan(rules: PermissionRules) {
  const options = {
    platform: "darwin",
    arch: "arm64",
    env: {},
    stateDir: "/Users/me/.codex/quire",
    hidden: ["/Users/me/.codex/auth.json"],
  } as const;
  const files = new RuleFiles(options);
  return planSeatbelt(
    { policy: { mode: "workspace-write", rules }, cwd: project },
    {
      ...options,
      findRoots: () => ({ roots: [{ path: project, origin: "cwd" }], warnings: [] }),
      ruleFiles: async () => files,
    },
  );
}

test.each<[string, PermissionRules, number?]>([
  [
    "denied files, patterns and a readable folder",
    {
      ...usual,
      files: [
        reads,
        writes,
        secret,
        keys,
        rule(special("workspace_roots", "vendor"), "read"),
        rule({ type: "path", path: "/Users/me/.ssh" }, "deny"),
        rule({ type: "path", path: "/Users/me/.ssh/known_hosts" }, "read"),
      ],
    },
  ],
  ["reading confined to the workspace and the system", { ...usual, files: [writes] }],
  [
    "domains through the proxy",
    { ...usual, network: { enabled: true, domains: { "example.org": "allow" } } },
    41_234,
  ],
  [
    "a command outside of the sandbox",
    { ...usual, base: "unrestricted", files: [secret, keys], network: { enabled: true } },
  ],
])("the profile for %s is this", async (name, rules, proxyPort) => {
  const { plan: planned } = await plan(rules);

  const text = seatbeltArguments(proxyPort === undefined ? planned : { ...planned, proxyPort });

  expect(text[1]?.match(/\(/g)?.length).toBe(text[1]?.match(/\)/g)?.length);
  await expect([...text, ""].join("\n")).toMatchFileSnapshot(
    `golden/seatbelt-rules-${name.replaceAll(" ", "-").replaceAll(",", "")}.txt`,
  );
});

test("a rule that macOS cannot enforce is refused by its name", async () => {
  const inside = rule(special("workspace_roots", "old.key/readme"), "read");

  await expect(plan({ ...usual, files: [reads, writes, keys, inside] })).rejects.toThrow(
    /macOS cannot enforce the rule the rule for .*old\.key\/readme.*\*\*\/\*\.key denies/,
  );
});

test.each([
  ["/a/Secret.env", "/A/SECRET.ENV", true],
  ["/a/Secret.env", "/a/secret.env/below", true],
  ["/a/Secret.env", "/a/secretXenv", false],
  ["/a/Secret.env", "/a/secret.env2", false],
  ['/a/say "hi" (1)', '/a/say "hi" (1)', true],
  ["/a/schlüssel", "/a/schlu\u0308ssel", true],
])("the pattern of %j and %j: %s", (path, other, isMatch) => {
  const pattern = pathPattern(path);

  expect(new RegExp(pattern).test(other)).toBe(isMatch);
  expect(pattern).not.toMatch(/["\n]|[^\x20-\x7e]/);
});

test.each([
  ["(?:[^/]+/)*[^/]*\\.key", "/w/a/b/x.KEY", true],
  ["(?:[^/]+/)*[^/]*\\.key", "/w/x.key/inside", true],
  ["(?:[^/]+/)*[^/]*\\.key", "/w/x.keys", false],
  ["[^/]\\.[ab]", "/w/x.B", true],
  ["[^/]\\.[^/ab]", "/w/x.A", false],
  ["a\\+b", "/w/a+b", true],
])("the pattern of the glob %s and %s: %s", (source, path, isMatch) => {
  expect(new RegExp(globPattern({ base: "/w", source })).test(path)).toBe(isMatch);
});
