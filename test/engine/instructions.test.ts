import { describe, expect, test } from "vitest";
import { eraOf } from "../../src/compat/index.js";
import {
  InstructionsMessage,
  instructionsFor,
  instructionsMessage,
} from "../../src/engine/instructions.js";
import { contentText } from "../../src/rollout/index.js";

const patchTool = { type: "function", name: "apply_patch" } as never;

describe("instructionsFor", () => {
  const base = instructionsFor({
    override: undefined,
    family: { needsPatchText: false },
    tools: [],
  });

  test("the client's instructions replace everything", () => {
    const given = {
      override: "Only this.",
      family: { needsPatchText: true },
      tools: [],
      tone: "x",
    };

    expect(instructionsFor(given)).toBe("Only this.");
  });

  test("an empty override is an override", () => {
    expect(instructionsFor({ override: "", family: { needsPatchText: true }, tools: [] })).toBe("");
  });

  test("the patch format is explained to models that need it, unless they have the tool", () => {
    const needy = { override: undefined, family: { needsPatchText: true } };

    expect(instructionsFor({ ...needy, tools: [] })).toContain("*** Begin Patch");
    expect(instructionsFor({ ...needy, tools: [] }).startsWith(base)).toBe(true);
    expect(instructionsFor({ ...needy, tools: [patchTool] })).toBe(base);
  });

  test("a tone follows at the end", () => {
    const given = { override: undefined, family: { needsPatchText: false }, tools: [] };

    expect(instructionsFor({ ...given, tone: "\n\nBe kind." })).toBe(
      `${base.trimEnd()}\n\nBe kind.`,
    );
  });
});

test("the same instructions are the same message, so that its id stays", () => {
  const messages = new InstructionsMessage();
  const first = messages.of("a");

  expect(messages.of("a")).toBe(first);
  expect(messages.of("b")).not.toBe(first);
  expect(messages.of("b")).toMatchObject({ role: "developer" });
});

test.each([
  ["0.42", /^<user_instructions>/],
  ["0.104", /AGENTS\.md/],
])("in the era %s the user's instructions have the format %s", (era, format) => {
  const message = instructionsMessage("Use tabs.", "/w", eraOf(era).engine);
  const text = message.type === "message" ? contentText(message.content) : "";

  expect(text).toMatch(format);
  expect(text).toContain("Use tabs.");
});
