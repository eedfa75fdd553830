import { expect, test } from "vitest";
import { ok, type ToolTurn } from "../../src/tools/tool.js";
import { type BoxedTool, createLateToolBox, type ToolBox } from "../../src/tools/tool-box.js";

/** A box that counts how often its only tool was created. */
function countingBox(isFixed = true): ToolBox & { created: number } {
  const count = { created: 0 };
  const create = (): BoxedTool[] => {
    count.created++;
    const parameters = { type: "object" as const, properties: {} };
    const spec = { type: "function" as const, name: "hi", description: "", strict: false };
    return [{ tool: { spec: { ...spec, parameters }, run: async () => ok("Hi.") } }];
  };
  const box = createLateToolBox(create, {
    close: async () => {},
    background: undefined,
    isFixed,
  });
  return Object.assign(count, box);
}

const turn = {} as ToolTurn;

test("a turn is offered the same specs in all of its steps, which are read once", () => {
  const box = countingBox();

  const [first, second] = [box.offered(turn), box.offered(turn)];

  expect(first.map((spec) => "name" in spec && spec.name)).toEqual(["hi"]);
  expect(second).toBe(first);
  expect(box.created).toBe(1);
});

test("what may change within a turn is read for every step", () => {
  const box = countingBox(false);

  box.offered(turn);
  box.offered(turn);

  expect(box.created).toBe(2);
});

test("the tools of sessions that many others were used after are created again", async () => {
  const [box, ...others] = Array.from({ length: 17 }, () => countingBox());
  box?.find("function", "hi");
  box?.find("function", "hi");
  expect(box?.created).toBe(1);

  for (const other of others) other.find("function", "hi");
  const found = box?.find("function", "hi");

  expect(await found?.run({ text: "" }, {} as never)).toMatchObject({ text: "Hi." });
  expect(box?.created).toBe(2);
});
