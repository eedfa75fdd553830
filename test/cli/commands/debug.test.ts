import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createUser } from "../support/run-quire.js";

describe("[clients 12] debug", () => {
  test("models prints the catalogue in the fields of the reference", async () => {
    using user = createUser();

    const { code, stdout } = await user.run(["debug", "models", "--bundled"]);

    const { models } = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(stdout.trimEnd()).not.toContain("\n");
    const sol = models.find(({ slug }: { slug: string }) => slug === "gpt-6.1-sol");
    expect(sol).toMatchObject({
      display_name: "GPT-6.1-Sol",
      default_reasoning_level: "low",
      shell_type: "unified_exec",
      visibility: "list",
      supported_in_api: true,
      apply_patch_tool_type: "freeform",
      base_instructions: expect.stringMatching(/\S/),
    });
    expect(sol.supported_reasoning_levels[0]).toEqual({
      effort: "low",
      description: expect.any(String),
    });
  });

  test("prompt-input prints what a first request would hold, and records nothing", async () => {
    using user = createUser();
    writeFileSync(join(user.project, "AGENTS.md"), "Use tabs.");
    mkdirSync(join(user.project, ".git"));

    const whole = await user.run(["debug", "prompt-input", "hello there"]);
    const context = await user.run(["debug", "prompt-input"]);

    const items: { role: string; content: unknown[] }[] = JSON.parse(whole.stdout);
    expect(items.at(-1)).toMatchObject({
      type: "message",
      role: "user",
      content: [{ type: "input_text", text: "hello there" }],
    });
    expect(whole.stdout).toContain("Use tabs.");
    expect(whole.stdout).toContain("<environment_context>");
    expect(JSON.parse(context.stdout)).toHaveLength(items.length - 1);
    expect(context.stdout).not.toContain("hello there");
    expect(readdirSync(user.home)).not.toContain("sessions");
  });

  test("alone names its verbs", async () => {
    using user = createUser();

    const { code, stderr } = await user.run(["debug"]);

    expect(code).toBe(2);
    expect(stderr).toContain("`quire debug models`");
  });
});
