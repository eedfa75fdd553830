import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  appendAllowPrefixRule,
  appendNetworkRule,
  evaluateRules,
  parseRules,
  readRulesFiles,
} from "../../../src/shell/index.js";

let root = "";
let count = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "quire-amend-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Returns the path of a rules file; its folder exists only if there is text. */
async function rulesFile(text?: string): Promise<string> {
  const folder = join(root, String(count++), "rules");
  if (text !== undefined) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "default.rules"), text);
  }
  return join(folder, "default.rules");
}

async function readRulesBeside(file: string) {
  return parseRules(await readRulesFiles(join(file, "..")));
}

test("a rule is added to a file that is made for it", async () => {
  const file = await rulesFile();

  await appendAllowPrefixRule(file, ["echo", 'say "hi"\n']);

  expect(await readFile(file, "utf8")).toBe(
    'prefix_rule(pattern=["echo", "say \\"hi\\"\\n"], decision="allow")\n',
  );
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("a last line without newline is completed and a known rule is not repeated", async () => {
  const file = await rulesFile('prefix_rule(pattern=["ls"], decision="allow")');

  await appendAllowPrefixRule(file, ["ls"]);
  expect(await readFile(file, "utf8")).toBe('prefix_rule(pattern=["ls"], decision="allow")');
  await appendAllowPrefixRule(file, ["cat"]);

  expect(await readFile(file, "utf8")).toBe(
    'prefix_rule(pattern=["ls"], decision="allow")\nprefix_rule(pattern=["cat"], decision="allow")\n',
  );
});

test("writers at the same time lose nothing and leave nothing behind", async () => {
  const file = await rulesFile();
  const names = Array.from({ length: 12 }, (_, index) => `tool${index}`);

  await Promise.all([...names, ...names].map((name) => appendAllowPrefixRule(file, [name])));

  const { prefixRules } = await readRulesBeside(file);
  expect(prefixRules.map((rule) => rule.pattern[0]?.[0]).sort()).toEqual([...names].sort());
  expect(await readdir(join(file, ".."))).toEqual(["default.rules"]);
});

test("a lock left by a process that is gone does not stop the next writer", async () => {
  const file = await rulesFile("");
  await writeFile(`${file}.lock`, "2147483646\n");

  await appendAllowPrefixRule(file, ["ls"]);

  expect(await readdir(join(file, ".."))).toEqual(["default.rules"]);
});

test("a link to a rules file stays a link", async () => {
  const target = await rulesFile("# mine\n");
  const link = await rulesFile("");
  await rm(link);
  await symlink(target, link);

  await appendAllowPrefixRule(link, ["ls"]);

  expect(await readFile(target, "utf8")).toBe(
    '# mine\nprefix_rule(pattern=["ls"], decision="allow")\n',
  );
  expect((await readRulesBeside(link)).prefixRules).toHaveLength(1);
});

test("an empty prefix and a bad host are refused", async () => {
  const file = await rulesFile();

  await expect(appendAllowPrefixRule(file, [])).rejects.toThrow(
    "prefix rule requires at least one token",
  );
  await expect(
    appendNetworkRule(file, { host: " ", protocol: "http", decision: "allow" }),
  ).rejects.toThrow("invalid network rule: invalid rule: network_rule host cannot be empty");
});

test("a rule about a host is written in one spelling", async () => {
  const file = await rulesFile();

  await appendNetworkRule(file, {
    host: "Api.Example.com:443",
    protocol: "https",
    decision: "forbidden",
    justification: "not needed",
  });

  expect(await readFile(file, "utf8")).toBe(
    'network_rule(host="api.example.com", protocol="https", decision="deny", justification="not needed")\n',
  );
  expect((await readRulesBeside(file)).networkRules).toHaveLength(1);
});

test("any prefix that is added is read back and matches", async () => {
  const words = fc.array(fc.string({ unit: "grapheme" }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(words, async (argv) => {
      const file = await rulesFile();
      await appendAllowPrefixRule(file, argv);
      const rules = parseRules([{ name: file, text: await readFile(file, "utf8") }]);

      expect(evaluateRules(rules, [argv], { fallback: () => "forbidden" }).decision).toBe("allow");
    }),
    { numRuns: 60 },
  );
});

test("a rules file that is a directory or not UTF-8 is an error that names it", async () => {
  const file = await rulesFile("ok = 1");
  const folder = join(file, "..");
  await writeFile(join(folder, "bytes.rules"), Buffer.from([0xff, 0xfe]));

  await expect(readRulesFiles(folder)).rejects.toThrow(
    `failed to read rules file ${join(folder, "bytes.rules")}`,
  );
  expect(await readRulesFiles(join(root, "nowhere"))).toEqual([]);
});
