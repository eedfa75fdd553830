import { describe, expect, test } from "vitest";
import { modelFamily } from "../../src/model/families.js";

const shell = { shellTool: "shell", parallelToolCalls: false } as const;

describe("a model of 2025-09", () => {
  test.each([
    ["o3", { name: "o3", reasoning: true, needsPatchText: true, contextWindow: 200_000 }],
    ["o4-mini-high", { name: "o4-mini", reasoning: true, maxOutputTokens: 100_000 }],
    ["codex-mini-latest", { shellTool: "local_shell", needsPatchText: true, verbosity: false }],
    ["gpt-4.1-2025-04-14", { reasoning: false, contextWindow: 1_047_576, maxOutputTokens: 32_768 }],
    ["gpt-oss:120b", { name: "gpt-oss", applyPatchTool: "function", needsPatchText: false }],
    ["openai/gpt-oss-20b", { name: "gpt-oss", contextWindow: 96_000 }],
    ["gpt-4o", { reasoning: false, needsPatchText: true, contextWindow: 128_000 }],
    ["gpt-3.5-turbo", { contextWindow: 16_385, maxOutputTokens: 4_096 }],
    ["gpt-5-codex", { name: "gpt-5-codex", needsPatchText: false, verbosity: false }],
    ["gpt-5", { name: "gpt-5", needsPatchText: true, verbosity: true, contextWindow: 272_000 }],
  ])("%s is known by the start of its name", (slug, expected) => {
    expect(modelFamily(slug)).toMatchObject({ known: true, ...expected });
  });

  test("is a separate family without a window if it is unknown", () => {
    expect(modelFamily("mock-model")).toEqual({
      ...shell,
      name: "mock-model",
      known: false,
      reasoning: false,
      needsPatchText: false,
      verbosity: false,
    });
  });
});

test.each([
  ["gpt-6.1-sol", "low"],
  ["gpt-6-sol", "medium"],
  ["gpt-5.6-terra", "medium"],
  ["gpt-daybreak-blue-latest", "low"],
  ["gpt-5-codex", "medium"],
])("%s is asked for the effort that is shown as its default, %s", (slug, effort) => {
  expect(modelFamily(slug, "2026-11").defaultEffort).toBe(effort);
});

describe("later catalogues", () => {
  test("offer apply_patch to gpt-5-codex unasked", () => {
    expect(modelFamily("gpt-5-codex", "2025-09").applyPatchTool).toBeUndefined();
    expect(modelFamily("gpt-5-codex", "2025-10").applyPatchTool).toBe("freeform");
  });

  test("leave a twentieth of the window free", () => {
    expect(modelFamily("gpt-5.2-codex", "2026-02")).toEqual({
      name: "gpt-5.2-codex",
      known: true,
      reasoning: true,
      defaultEffort: "medium",
      needsPatchText: false,
      applyPatchTool: "freeform",
      shellTool: "unified_exec",
      contextWindow: 258_400,
      maxOutputTokens: 128_000,
      parallelToolCalls: true,
      verbosity: false,
    });
  });

  test("assume a window for unknown models", () => {
    expect(modelFamily("mock-model", "2026-02")).toMatchObject({
      known: false,
      contextWindow: 258_400,
      reasoning: false,
      parallelToolCalls: false,
    });
    expect(modelFamily("mock-model", "2026-11")).toMatchObject({
      known: false,
      reasoning: true,
      parallelToolCalls: true,
    });
  });

  test("still know the families of 2025", () => {
    expect(modelFamily("codex-mini-latest", "2026-02").shellTool).toBe("local_shell");
    expect(modelFamily("gpt-oss:20b", "2026-02").applyPatchTool).toBe("function");
  });
});
