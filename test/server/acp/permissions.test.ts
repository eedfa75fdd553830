import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type AcpOptions, startEditor } from "../../support/acp.js";
import { calls, says } from "../../support/model.js";

const asks = { approval_policy: "untrusted", sandbox_mode: "danger-full-access" };
const touch = calls("shell", { command: ["touch", "made"] });

const cases: [choice: string, made: boolean, stopReason: string][] = [
  ["accept", true, "end_turn"],
  ["acceptForSession", true, "end_turn"],
  ["decline", false, "end_turn"],
  ["cancel", false, "cancelled"],
  ["nonsense", false, "end_turn"],
];

test.each(cases)("the choice %s of a command: runs %s, ends with %s", async (choice, made, end) => {
  await using editor = await startEditor({
    config: asks,
    model: [touch, says("Done.")],
    permit: () => choice,
  });
  const { sessionId } = await editor.newSession();

  expect(await editor.prompt(sessionId, "go")).toBe(end);

  expect(existsSync(join(editor.workspace, "made"))).toBe(made);
  const [request] = editor.permissions;
  expect(request?.toolCall).toMatchObject({ title: "touch made", status: "pending" });
  const kinds = request?.options.map(({ optionId, kind }) => `${optionId} ${kind}`);
  expect(kinds).toEqual([
    "accept allow_once",
    "acceptForSession allow_always",
    "always allow_always",
    "decline reject_once",
    "cancel reject_once",
  ]);
  expect(editor.problems).toEqual([]);
});

test("a command that is allowed for the session is not asked for again", async () => {
  await using editor = await startEditor({
    config: asks,
    model: [touch, calls("shell", { command: ["touch", "made"] }, "c2"), says("Done.")],
    permit: () => "acceptForSession",
  });
  const { sessionId } = await editor.newSession();

  await editor.prompt(sessionId, "go");

  expect(editor.permissions).toHaveLength(1);
});

test("a rule that the user accepts is stored", async () => {
  await using editor = await startEditor({
    config: asks,
    model: [touch, says("Done.")],
    permit: () => "always",
  });
  const { sessionId } = await editor.newSession();

  await editor.prompt(sessionId, "go");

  const rules = await readFile(join(editor.server.home, "rules/default.rules"), "utf8");
  expect(rules).toContain("touch");
});

test("a change of files outside of the workspace is asked for with its diff", async () => {
  const options: AcpOptions = {
    config: { approval_policy: "on-request", sandbox_mode: "read-only", model: "gpt-5.5" },
    model: [
      [{ apply_patch: "*** Begin Patch\n*** Update File: a.txt\n@@\n-a\n+b\n*** End Patch" }],
      says("Done."),
    ],
    permit: () => "accept",
  };
  await using editor = await startEditor(options);
  const path = join(editor.workspace, "a.txt");
  await writeFile(path, "a\n");
  const { sessionId } = await editor.newSession();

  await editor.prompt(sessionId, "go");

  expect(await readFile(path, "utf8")).toBe("b\n");
  const [request] = editor.permissions;
  expect(request?.toolCall.content?.[0]).toEqual({
    type: "diff",
    path,
    oldText: "a\n",
    newText: "b\n",
  });
  expect(editor.problems).toEqual([]);
});

test("a permission request that is never answered ends with the turn", async () => {
  await using editor = await startEditor({ config: asks, model: [touch, says("Done.")] });
  const { sessionId } = await editor.newSession();

  const running = editor.prompt(sessionId, "go");
  await editor.when(() => editor.permissions.length === 1);
  await editor.agent.notify("session/cancel", { sessionId });

  expect(await running).toBe("cancelled");
  expect(existsSync(join(editor.workspace, "made"))).toBe(false);
});

test("hidden characters of a command are visible in the request", async () => {
  await using editor = await startEditor({
    config: asks,
    model: [calls("shell", { command: ["touch", "a\u202eb"] }), says("Done.")],
    permit: () => "decline",
  });
  const { sessionId } = await editor.newSession();

  await editor.prompt(sessionId, "go");

  expect(editor.permissions[0]?.toolCall.title).toContain("<202E>");
  expect(editor.problems).toEqual([]);
});

const question = {
  questions: [
    {
      id: "color",
      header: "Color",
      question: "Which color?",
      options: [
        { label: "Red", description: "like fire" },
        { label: "Blue", description: "like the sea" },
      ],
    },
  ],
};

test("a question of the model is asked as a permission request", async () => {
  await using editor = await startEditor({
    config: { include_plan_tool: true },
    model: [calls("request_user_input", question), says("Done.")],
    permit: ({ options }) => options.find(({ name }) => name === "Blue")?.optionId,
  });
  const { sessionId } = await editor.newSession();
  await editor.agent.request("session/set_mode", { sessionId, modeId: "plan" });

  await editor.prompt(sessionId, "go");

  expect(JSON.stringify(editor.server.prompts.at(-1)?.input)).toContain("Blue");
  expect(editor.problems).toEqual([]);
});

test("a question of the model is asked in a form, if the editor has forms", async () => {
  const forms: unknown[] = [];
  await using editor = await startEditor({
    capabilities: { elicitation: { form: {} } },
    model: [calls("request_user_input", question), says("Done.")],
    answer(method, params) {
      forms.push({ method, params });
      return { action: "accept", content: { color: "Red" } };
    },
  });
  const { sessionId } = await editor.newSession();
  await editor.agent.request("session/set_mode", { sessionId, modeId: "plan" });

  await editor.prompt(sessionId, "go");

  expect(forms).toMatchObject([{ method: "elicitation/create" }]);
  expect(JSON.stringify(editor.server.prompts.at(-1)?.input)).toContain("Red");
  expect(editor.problems).toEqual([]);
});
