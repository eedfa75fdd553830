import { expect, test } from "vitest";
import { bubblewrapWorks } from "../sandbox/support/confined.js";
import { agentCall, spawn } from "../support/agents.js";
import { says } from "../support/model.js";
import { callsOf, noRule, type Rule, rules } from "./support/rules.js";
import { createScene, hasOwnMounts, isIntact, madeIn } from "./support/scene.js";
import { surfaces } from "./support/surfaces.js";
import { passes, secret } from "./support/tool-rows.js";

const [exec] = surfaces;

/** Lets a helper agent make all calls that try to break a rule, and looks at the host. */
async function outcomeOfAgent({ scene: options, attempts }: Rule) {
  const answers = [
    [spawn("one", { message: passes })],
    [agentCall("wait_agent", { timeout_ms: 60_000, note: passes })],
    says("Done."),
  ];
  const agent = [...attempts.map(callsOf), says("Agent done.")];
  const settings = `${options.settings}\nfeatures.multi_agent_v2 = true`;
  const script = { answers, agents: { "*": agent } };
  await using scene = await createScene({ ...options, settings, script });
  const received = (await exec?.run(scene)) ?? "";
  const sent = JSON.stringify(scene.model.requests.map(({ body }) => body));
  return {
    requests: scene.model.requests.length - answers.length - agent.length,
    made: madeIn(scene),
    isIntact: isIntact(scene),
    isLeaked: (sent + received).includes(secret),
    hasImage: sent.includes("data:image"),
  };
}

test("without a rule the calls of a helper agent have their effects", async () => {
  const { made, requests } = await outcomeOfAgent(noRule);

  expect(requests).toBe(0);
  expect(made).toEqual(
    expect.arrayContaining(["made-exec_command", "made-apply_patch", "made-mcp"]),
  );
});

test
  .skipIf(!bubblewrapWorks || !hasOwnMounts)
  .each(rules.map((rule) => [rule.title, rule] as const))(
  "a helper agent does not get around a rule (%s)",
  async (_, rule) => {
    expect(await outcomeOfAgent(rule)).toEqual({
      requests: 0,
      made: [],
      isIntact: true,
      isLeaked: false,
      hasImage: rule.permitted?.includes("image sent") === true,
    });
  },
);
