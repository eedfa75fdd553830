import { expect, test } from "vitest";
import { eraNamed } from "../../src/compat/index.js";
import { builtInEntries } from "../../src/tools/built-in.js";
import { mcpResourceTools } from "../../src/tools/index.js";
import { bubblewrapWorks } from "../sandbox/support/confined.js";
import { isFull } from "../support/counts.js";
import { type Outcome, outcomeOf } from "./support/outcomes.js";
import { safetyPage } from "./support/page.js";
import { noRule, type Rule, rules } from "./support/rules.js";
import { hasOwnMounts } from "./support/scene.js";
import { type Surface, surfaces } from "./support/surfaces.js";
import { toolRows } from "./support/tool-rows.js";

/** Surfaces to try a rule on: two of them, and all in `npm run test:heavy`. */
function surfacesFor(rule: Rule): readonly Surface[] {
  if (isFull) return surfaces;
  const others = ["app-server v2", "acp", "library", "app-server v2"];
  return [surfaceNamed("exec --json"), surfaceNamed(others[rules.indexOf(rule)] ?? "")];
}

test("the matrix has a row for every tool", () => {
  const era = eraNamed("current");
  if (era === undefined) throw new Error("no era");
  const choice = {
    plan: true,
    userInput: true,
    asyncQuestions: true,
    applyPatch: true,
    viewImage: true,
    goals: false,
    permissions: true,
    webSearch: () => undefined,
    behavior: era.tools,
    since: era.since,
  };
  const parts = {
    isUsed: () => true,
    resources: mcpResourceTools(undefined as never, undefined as never),
  };
  const entries = builtInEntries({ behavior: era.exec, since: era.since } as never, choice, {
    mcp: parts as never,
    terminals: undefined as never,
  });
  const names = entries.flatMap(({ tool: { spec }, aliases = [] }) =>
    ["name" in spec ? spec.name : spec.type, ...aliases].map((name) => `${spec.type} ${name}`),
  );
  // The provider of the model runs the search; it is only offered or not.
  const local = names.filter((name) => name !== "web_search web_search");

  expect([...new Set(local)].sort()).toEqual(
    [...new Set(toolRows.flatMap((row) => row.tools))].sort(),
  );
});

test("without a rule every call has its effect", async () => {
  const { words, made, leaks } = await outcomeOf(noRule, surfaceNamed("app-server v2"));

  const [seen = {}] = words;
  const files = toolRows.filter(({ isVisible, isSilent }) => !isVisible && !isSilent);
  expect(made.sort()).toEqual(files.map(({ id }) => `made-${id}`).sort());
  expect(leaks).toEqual([
    "image sent",
    "web search offered",
    ...toolRows.flatMap(({ id, isVisible }) => (isVisible ? `${id} shown` : [])),
  ]);
  expect(Object.values(seen)).not.toContain("blocked");
});

test.skipIf(!bubblewrapWorks || !hasOwnMounts)(
  "no tool gets around a rule, on no surface, and all surfaces answer alike",
  { timeout: 120_000 },
  async () => {
    const outcomes = new Map<Rule, Readonly<Record<string, string>>[]>();
    for (const rule of rules) {
      const found = await inPairs(surfacesFor(rule), (surface) => outcomeOf(rule, surface));
      for (const { surface, outcome } of found) {
        const leaks = outcome.leaks.filter((leak) => !rule.permitted?.includes(leak));
        expect({ on: surface.name, ...outcome, leaks }).toMatchObject({ made: [], leaks: [] });
      }
      outcomes.set(rule, sameWords(rule, found));
    }
    await expect(safetyPage(rules, outcomes)).toMatchFileSnapshot("../../docs/safety-table.md");
  },
);

interface Found {
  surface: Surface;
  outcome: Outcome;
}

/** Compares the surfaces; returns the words of the tools that all have. */
function sameWords(rule: Rule, found: readonly Found[]): Readonly<Record<string, string>>[] {
  return rule.attempts.map((_, index) => {
    const all: Record<string, string> = {};
    for (const { surface, outcome } of found) {
      for (const { id, needs } of toolRows) {
        const word = outcome.words[index]?.[id];
        const isAbsent = needs !== undefined && surface.lacks.includes(needs);
        if (isAbsent) expect(word ?? "absent").toBe("absent");
        else if (word !== undefined) {
          all[id] ??= word;
          expect([surface.name, id, word]).toEqual([surface.name, id, all[id]]);
        }
      }
    }
    return all;
  });
}

/** Two at a time: most of a turn is waiting for processes. */
async function inPairs(
  list: readonly Surface[],
  run: (surface: Surface) => Promise<Outcome>,
): Promise<Found[]> {
  const found: Found[] = [];
  const queue = [...list];
  const work = async () => {
    for (let surface = queue.shift(); surface !== undefined; surface = queue.shift()) {
      found.push({ surface, outcome: await run(surface) });
    }
  };
  await Promise.all([work(), work()]);
  return found;
}

function surfaceNamed(name: string): Surface {
  const found = surfaces.find((surface) => surface.name === name);
  if (found === undefined) throw new Error(`no surface ${name}`);
  return found;
}
