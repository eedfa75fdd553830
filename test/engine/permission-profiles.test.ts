import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { Op } from "../../src/protocol/types.js";
import { defineTool, ok, parameters, type Tool, type ToolTurn } from "../../src/tools/index.js";
import { startTestCodex, type TestCodex } from "../support/codex.js";
import { calls, says } from "../support/model.js";

const permissions = {
  tight: {
    extends: ":workspace",
    filesystem: { ":workspace_roots": { "secret.env": "deny" } },
  },
  other: { extends: ":read-only", filesystem: { "/srv": "deny" } },
};
const config = { default_permissions: "tight", permissions };
const input = [{ type: "text" as const, text: "Go." }];

/** A tool that notes the settings of its turn. */
function spy(): { tool: Tool; turns: ToolTurn[] } {
  const turns: ToolTurn[] = [];
  const tool = defineTool({
    name: "spy",
    description: "Notes the settings.",
    input: parameters({}, []),
    async run(_, { turn }) {
      turns.push(turn);
      return ok("noted");
    },
  });
  return { tool, turns };
}

const deniedIn = ({ sandbox_policy: { rules } }: ToolTurn) =>
  rules?.files.filter(({ access }) => access === "deny").map(({ place }) => place);

const secret = { type: "special", name: "workspace_roots", subpath: "secret.env" };

/** Runs a turn in which the model calls the spy. */
async function settingsOf(op: Partial<Extract<Op, { type: "user_turn" }>>, more: object = {}) {
  const { tool, turns } = spy();
  const model = [calls("spy", {}), says("Done.")];
  await using codex = await startTestCodex({
    model,
    tools: [tool],
    config: { ...config, ...more },
  });
  await codex.turn({ type: "user_turn", items: input, ...op } as Op);
  return turns[0] as ToolTurn;
}

test("a turn carries the rules of the profile", async () => {
  const turn = await settingsOf({});

  expect(turn.sandbox_policy).toMatchObject({
    mode: "workspace-write",
    rules: { id: "tight", extends: ":workspace", base: "restricted" },
  });
  expect(deniedIn(turn)).toEqual([secret]);
});

test("a built-in profile is a plain sandbox mode for tools", async () => {
  const turn = await settingsOf({}, { default_permissions: ":read-only" });

  expect(turn.sandbox_policy).toEqual({ mode: "read-only" });
});

test.each<[string, object, string, unknown[]]>([
  [
    "another profile",
    { active_permission_profile: { id: "other" } },
    "read-only",
    [{ type: "path", path: "/srv" }, secret],
  ],
  [
    "full access",
    { active_permission_profile: { id: ":danger-full-access" } },
    "workspace-write",
    [secret],
  ],
  [
    "a sandbox policy",
    { sandbox_policy: { mode: "danger-full-access" } },
    "danger-full-access",
    [secret],
  ],
])("%s of a turn does not lift what the profile denies", async (_, override, mode, denied) => {
  const turn = await settingsOf(override);

  expect(turn.sandbox_policy.mode).toBe(mode);
  expect(deniedIn(turn)).toEqual(denied);
});

test("an unknown profile of a turn is an error, and the settings stay", async () => {
  await using codex = await startTestCodex({ model: [says("Hi.")], config });

  codex.submit({ type: "override_turn_context", active_permission_profile: { id: "nope" } });
  const { msg } = await codex.until("error");
  await codex.turn({ type: "user_input", items: input });

  expect(msg.message).toContain("names an undefined profile, `nope`");
  expect(contextIn(codex)).toContain("secret.env");
});

const contextIn = ({ prompts }: TestCodex) => JSON.stringify(prompts.at(-1)?.input);

test("the model gets the profile, and again when it changes", async () => {
  await using codex = await startTestCodex({ model: [says("1"), says("2")], config });
  const entry = (path: string) =>
    `<entry access=\\"deny\\" escalatable=\\"false\\"><path>${path}</path></entry>`;

  await codex.turn({ type: "user_input", items: input });
  const before = contextIn(codex);
  codex.submit({ type: "override_turn_context", active_permission_profile: { id: "other" } });
  await codex.turn({ type: "user_input", items: input });

  expect(before).toContain(entry(`${codex.workspace}/secret.env`));
  expect(before).not.toContain(entry("/srv"));
  expect(contextIn(codex)).toContain(entry("/srv"));
});

test("a resumed conversation resolves its profile again, and refuses without it", async () => {
  const first = await startTestCodex({ model: [says("1")], config });
  await using _ = first;
  await first.turn({
    type: "user_turn",
    items: input,
    active_permission_profile: { id: "other" },
  } as Op);
  const configured = first.events.find(({ msg }) => msg.type === "session_configured")?.msg;
  const path = configured?.type === "session_configured" ? configured.rollout_path : "";
  await first.shutdown();
  const resume = { type: "configure_session", resume_path: path, keeps_policies: true } as const;

  await using again = await startTestCodex({ config, sharing: first, configure: false });
  again.submit(resume);
  const { msg } = await again.until("session_configured");
  await using without = await startTestCodex({
    config: { default_permissions: "tight", permissions: { tight: permissions.tight } },
    sharing: first,
    configure: false,
  });
  without.submit(resume);
  const refused = await without.until("error");

  expect(await readFile(path, "utf8")).toContain(
    '"active_permission_profile":{"id":"other","extends":":read-only"}',
  );
  expect(configured).toMatchObject({
    active_permission_profile: { id: "tight", extends: ":workspace" },
  });
  expect(msg.active_permission_profile).toEqual({ id: "other", extends: ":read-only" });
  expect(refused.msg.message).toContain("names an undefined profile, `other`");
});

test("`configure_session` selects a profile by name", async () => {
  await using codex = await startTestCodex({ config, configure: false });

  codex.submit({ type: "configure_session", active_permission_profile: { id: "other" } });

  const { msg } = await codex.until("session_configured");
  expect(msg).toMatchObject({
    active_permission_profile: { id: "other", extends: ":read-only" },
    sandbox_policy: { mode: "read-only" },
  });
});
