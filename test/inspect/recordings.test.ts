import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { packageRoot } from "../../src/cli/built-folder.js";
import { readProtocols } from "../../src/cli/schema/read-protocol.js";
import { type EraName, eraOf } from "../../src/compat/index.js";
import { Conversation } from "../../src/inspect/conversation.js";
import { MessageRules } from "../../src/inspect/rules.js";

const shared = resolve(process.env.QUIRE_SHARED ?? "../shared");
const hasTraces = existsSync(join(shared, "traces"));

/** Groups of recordings of app-servers, with the era that their servers state. */
const groups = [
  ["traces/app-server-v1", "0.45"],
  ["traces/app-server", "0.104"],
  ["traces/app-server-166", "0.166"],
  ["traces-166/goals-166", "0.166"],
  ["traces-166/hooks-166", "0.166"],
  ["traces-166/methods-166", "0.166"],
  ["traces-166/agents-166", "0.166"],
  ["traces-166/code-mode-166", "0.166"],
  ["traces-166/permissions-166", "0.166"],
] as const;

const policies = '"untrusted", "on-failure", "on-request", "never"';
const sandboxes = '"read-only", "workspace-write", "danger-full-access"';
const wrongSandbox = [
  `thread-start-sandbox: thread/start params.sandbox must be one of ${sandboxes}, not an object.`,
  `thread-start-sandbox: thread/start params.sandbox must be one of ${sandboxes}, not "workspaceWrite".`,
  `thread-start-sandbox: thread/start params.approvalPolicy must be one of ${policies}, not "sometimes".`,
];

/** Problems in them: mistakes that the recorders made on purpose, to see the answer. */
const known: Record<string, string[]> = {
  "traces/app-server-v1": [
    "errors: noSuchMethod The schemas of era 0.45 have no method noSuchMethod",
    `errors: newConversation params.approvalPolicy must be one of ${policies}, not "sometimes".`,
    "errors: sendUserMessage params.conversationId is missing.",
    "errors: no/such/notification The protocol has no notification no/such/notification of clients",
    'exec-approval-bad-answer: execCommandApproval result.decision must be one of "approved", "approved_for_session", "denied", "abort", not "maybe".',
    "initialize-bad-params: initialize params.clientInfo is missing.",
  ],
  "traces/app-server": [
    "errors: no/such/method The schemas of era 0.104 have no method no/such/method",
    "errors: turn/start params.threadId is missing.",
    "errors: no/such/notification The protocol has no notification no/such/notification of clients",
    'exec-approval-string-result: item/commandExecution/requestApproval result must be an object, not "accept".',
    ...wrongSandbox,
    'turn-sandbox-string: turn/start params.sandboxPolicy must be an object, not "workspace-write".',
    "turn-sandbox-string: turn/start params.sandboxPolicy.type must be a string that says which kind it is.",
  ],
  "traces/app-server-166": [
    "errors: no/such/method The schemas of era 0.166 have no method no/such/method",
    "errors: turn/start params.threadId is missing.",
    "errors: no/such/notification The protocol has no notification no/such/notification of clients",
    ...wrongSandbox,
  ],
  "traces-166/goals-166": [
    'errors: thread/goal/set params.status must be one of "active", "paused", "blocked", "usageLimited", "budgetLimited", "complete", not "nonsense".',
    "queue-errors: thread/queue/add params.clientUserMessageId is missing.",
  ],
  "traces-166/methods-166": ["thread-search: thread/search params.searchTerm is missing."],
};

describe.runIf(hasTraces)("recordings of the reference", async () => {
  process.argv[1] = join(packageRoot(join(resolve("bin"), "quire.js")), "bin/quire.js");
  const protocolOf = await readProtocols();
  const rulesOf = (era: EraName) =>
    new MessageRules(protocolOf({ era: eraOf(era), experimental: true }));

  test.each(groups)("%s violate the schemas of their era only on purpose", (group, era) => {
    const found: string[] = [];
    const eras = new Set<string>();
    for (const file of readdirSync(join(shared, group)).filter((name) => name.endsWith(".jsonl"))) {
      const conversation = new Conversation({
        rulesOf,
        era: undefined,
        now: () => 0,
        onEra: ({ name }) => eras.add(name),
      });
      const lines = readFileSync(join(shared, group, file), "utf8").split("\n");
      if (!JSON.parse(lines[0] ?? "").msg.command.includes("app-server")) continue; // `exec --json`
      for (const line of lines) {
        const { dir, msg } = line === "" ? { dir: "", msg: {} } : JSON.parse(line);
        if ((dir !== "in" && dir !== "out") || "$text" in Object(msg) || "$eof" in Object(msg))
          continue;
        const { entry } = conversation.see(dir === "in" ? "client" : "server", msg, line.length);
        found.push(
          ...entry.problems.map((text) => `${file.slice(0, -6)}: ${entry.method} ${text}`),
        );
      }
    }

    expect([...eras]).toEqual([era]);
    expect(found).toEqual(known[group] ?? []);
  });
});
