import { expect, test } from "vitest";
import { agentLines } from "../../../src/tui/lines/agents.js";
import { HelperAgents } from "../../../src/tui/state/agents.js";
import { plainView } from "../view.js";

const item = (kind: string, path = "/root/one", agentThreadId = "a") => ({
  agentThreadId,
  agentPath: path,
  kind,
});

test.each<[string, (agents: HelperAgents) => void, string]>([
  ["was started", () => {}, "working"],
  ["has completed", (agents) => agents.turnEnded("a", "completed"), "completed"],
  ["has failed", (agents) => agents.turnEnded("a", "failed"), "failed"],
  ["was interrupted", (agents) => agents.noted(item("interrupted"), 5), "interrupted"],
  [
    "waits for an approval",
    (agents) =>
      agents.statusChanged("a", { type: "active", activeFlags: ["waitingOnApproval"] }, 5),
    "waiting",
  ],
  [
    "works again",
    (agents) => {
      agents.turnEnded("a", "completed");
      agents.turnStarted("a", 5);
    },
    "working",
  ],
])("an agent that %s is shown so", (_, change, state) => {
  const agents = new HelperAgents();
  agents.noted(item("started"), 1);
  change(agents);

  expect(agents.all).toMatchObject([{ path: "/root/one", state }]);
});

test("a stored agent works only if the server says so", () => {
  const agents = new HelperAgents();
  agents.stored(item("started"));
  expect(agents.active).toEqual([]);
  agents.statusChanged("a", { type: "active", activeFlags: [] }, 7);

  expect(agents.active).toMatchObject([{ state: "working", startedAt: 7 }]);
});

test("a line for each agent at work has its state and time; more than five are counted", () => {
  const agents = new HelperAgents();
  for (let n = 0; n < 7; n++) agents.noted(item("started", `/root/a${n}`, `t${n}`), 1000);
  const lines = agentLines(agents, { ...plainView(60), now: 13_000 });

  expect(lines[0]).toContain("● /root/a0 working (12s)");
  expect(lines.at(-1)).toContain("… 2 more · /agents to look into one");
  expect(lines).toHaveLength(6);
});
