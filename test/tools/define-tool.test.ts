import { describe, expect, test } from "vitest";
import { eraNames, eraOf } from "../../src/compat/index.js";
import {
  defineTool,
  offerOnly,
  standaloneEntries,
  standaloneTool,
  type ToolChoice,
  withValues,
} from "../../src/tools/define-tool.js";
import { updatePlan } from "../../src/tools/index.js";
import { hint, parameters, suggested, values } from "../../src/tools/parameters.js";
import { ok, type ToolContext } from "../../src/tools/tool.js";

const context = {} as ToolContext;
const echo = defineTool({
  name: "echo",
  description: "Repeats a text.",
  input: parameters(
    { text: { type: "string", description: "The text." }, times: { type: "number" } },
    ["text"],
  ),
  isReadOnly: ({ times = 1 }) => times < 3,
  run: async ({ text, times = 1 }) => ok(text.repeat(times)),
});

describe("defineTool", () => {
  test("offers its parameters and runs with parsed arguments", async () => {
    expect(echo.spec).toMatchObject({ type: "function", name: "echo", strict: false });
    expect(await echo.run({ text: '{"text":"ab","times":2}' }, context)).toEqual(ok("abab"));
  });

  test("returns a mistake in the arguments to the model", async () => {
    expect(await echo.run({ text: "{}" }, context)).toEqual({
      text: "failed to parse function arguments: missing field `text` at line 1 column 2",
      success: false,
    });
  });

  test("explains a mistake in its own format", async () => {
    const tool = defineTool({
      name: "x",
      description: "",
      input: parameters({ a: { type: "string" } }, ["a"]),
      explain: ({ what, line, column }) => `${line}:${column} ${what}`,
      run: async () => ok(""),
    });

    expect((await tool.run({ text: "{}" }, context)).text).toBe(
      "failed to parse function arguments: 1:2 missing field `a`",
    );
  });

  test.each([
    ['{"text":"a"}', true],
    ['{"text":"a","times":3}', false],
    ["not JSON", false],
  ])("the call %s is read-only: %s", (text, expected) => {
    expect(echo.isReadOnly?.({ text })).toBe(expected);
  });
});

describe("offerOnly", () => {
  test("hides parameters from the model, but still accepts them", async () => {
    const tool = offerOnly(echo, ["text"], ["text"]);

    expect(tool.spec).toMatchObject({
      parameters: { properties: { text: { type: "string" } }, required: ["text"] },
    });
    expect(JSON.stringify(tool.spec)).not.toContain("times");
    expect(await tool.run({ text: '{"text":"a","times":2}' }, context)).toEqual(ok("aa"));
  });

  test("leaves a tool without parameters as it is", () => {
    const search = { spec: { type: "web_search" }, run: async () => ok("") } as const;

    expect(offerOnly(search, [])).toBe(search);
    expect(withValues(search)).toBe(search);
  });
});

describe("withValues", () => {
  test("adds the values of parameters to the schema and leaves the tool unchanged otherwise", () => {
    const tool = withValues(updatePlan);

    expect(tool.spec).toMatchObject({
      name: "update_plan",
      parameters: {
        required: ["plan"],
        properties: {
          plan: {
            items: {
              properties: {
                status: { type: "string", enum: ["pending", "in_progress", "completed"] },
                step: { type: "string" },
              },
            },
          },
        },
      },
    });
    expect(JSON.stringify(updatePlan.spec)).not.toContain("enum");
  });

  test("lists suggested values and uses the hint as the description", () => {
    const tool = defineTool({
      name: "x",
      description: "",
      input: parameters(
        {
          a: { type: "string", [suggested]: ["high"], [hint]: "How much." },
          b: { type: "string", [values]: ["on", "off"] },
        },
        [],
      ),
      run: async () => ok(""),
    });

    expect(withValues(tool).spec).toMatchObject({
      parameters: {
        properties: { a: { description: "How much.", enum: ["high"] }, b: { enum: ["on", "off"] } },
      },
    });
  });
});

describe("standalone tools", () => {
  const choiceIn = (era: string) => ({ since: eraOf(era).since }) as ToolChoice;

  test.each(eraNames)("the era %s has those of its time and earlier, and no later ones", (era) => {
    const tools = eraNames.map((since) => standaloneTool({ tool: echo, since }));

    expect(standaloneEntries(tools, choiceIn(era))).toHaveLength(eraNames.indexOf(era) + 1);
  });

  test("the newest era is the last", () => {
    expect(eraNames.at(-1)).toBe("current");
  });

  test("a condition sees the turn and the user's choice", () => {
    const entry = standaloneTool({
      tool: echo,
      since: "0.39",
      offeredIn: ({ isReview }, { viewImage }) => viewImage && !isReview,
    });
    const choice = { ...choiceIn("current"), viewImage: true };
    const [boxed] = standaloneEntries([entry], choice);
    const [always] = standaloneEntries([{ tool: echo, since: "0.39" }], choice);

    expect(boxed?.offeredIn?.({ isReview: true } as never)).toBe(false);
    expect(boxed?.offeredIn?.({ isReview: false } as never)).toBe(true);
    expect(always?.offeredIn?.({} as never)).toBe(true);
  });
});
