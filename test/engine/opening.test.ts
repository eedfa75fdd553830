import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { EraName } from "../../src/compat/index.js";
import type { Prompt } from "../../src/model/types.js";
import { startTestCodex, text } from "../support/codex.js";
import { says } from "../support/model.js";

/** The messages of a request as role and the beginning of each part. */
function outline(prompt: Prompt | undefined): string[] {
  return (prompt?.input ?? []).map((item) => {
    if (item.type !== "message") return item.type;
    const parts = item.content.map((part) => ("text" in part ? firstWords(part.text) : part.type));
    return `${item.role}: ${parts.join(" + ")}`;
  });
}

function firstWords(words: string): string {
  return /^<[^>]*>|^[^\n<]{1,24}/.exec(words)?.[0] ?? "";
}

test.each<[EraName, string[]]>([
  ["0.42", ["user: <environment_context>", "user: hi"]],
  [
    "0.104",
    [
      "developer: <permissions instructions>",
      "user: # AGENTS.md instructions",
      "user: <environment_context>",
      "user: hi",
    ],
  ],
  [
    "0.166",
    [
      "developer: You are a coding agent.",
      "developer: <skills_instructions> + <permissions instructions>",
      "user: <environment_context>",
      "user: hi",
    ],
  ],
  ["current", ["user: <environment_context>", "user: hi"]],
])("in %s a conversation begins with %j", async (era, expected) => {
  await using codex = await startTestCodex({ era, model: [says("Hello.")] });

  await codex.turn({ type: "user_input", items: text("hi") });

  const told = outline(codex.prompts[0]);
  // Our own instructions are prose and may begin as they like.
  const isMessage = era === "0.166";
  expect(isMessage ? told.slice(1) : told).toEqual(isMessage ? expected.slice(1) : expected);
  expect(codex.prompts[0]?.instructions === undefined).toBe(isMessage);
});

test("in 2026 a developer message informs the model about a changed policy", async () => {
  await using codex = await startTestCodex({ era: "0.104", model: [says("Hello.")] });

  codex.submit({ type: "override_turn_context", sandbox_policy: { mode: "read-only" } });
  await codex.turn({ type: "user_input", items: text("hi") });

  expect(outline(codex.prompts[0]).slice(3)).toEqual([
    "developer: <permissions instructions>",
    "user: hi",
  ]);
  expect(JSON.stringify(codex.prompts[0]?.input[3])).toContain("read-only");
});

test("developer instructions follow the permissions", async () => {
  await using codex = await startTestCodex({
    era: "0.104",
    model: [says("Hello.")],
    config: { developer_instructions: "Say please." },
  });

  await codex.turn({ type: "user_input", items: text("hi") });

  expect(outline(codex.prompts[0])[1]).toBe("developer: Say please.");
});

test("in 0.166 skills are named by themselves", async () => {
  await using codex = await startTestCodex({
    era: "0.166",
    model: [says("Hello.")],
    configure: false,
  });
  const folder = join(codex.home, "skills", "demo");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "SKILL.md"), "---\nname: demo\ndescription: Shows it.\n---\n");

  codex.submit({ type: "configure_session" }, "");
  await codex.turn({ type: "user_input", items: text("hi") });

  expect(JSON.stringify(codex.prompts[0]?.input[1])).toContain("demo: Shows it.");
});

test("images are wrapped in tags that name them, in eras that label images", async () => {
  await using codex = await startTestCodex({ era: "0.104", model: [says("Seen.")] });
  const image_url = "data:image/png;base64,AAAA";

  await codex.turn({
    type: "user_input",
    items: [...text("see"), { type: "image", image_url }],
  });

  expect(codex.prompts[0]?.input.at(-1)).toMatchObject({
    content: [
      { type: "input_text", text: "see" },
      { type: "input_text", text: "<image>" },
      { type: "input_image", image_url },
      { type: "input_text", text: "</image>" },
    ],
  });
});
