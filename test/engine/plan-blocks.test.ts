import fc from "fast-check";
import { expect, test } from "vitest";
import { type PlanPiece, PlanSplitter, withoutPlans } from "../../src/engine/plan-blocks.js";

test("text around a plan is passed on, the plan apart from it", () => {
  expect(split("Intro\n<prop", "osed_plan>\n- step\n", "</proposed_plan>\nOutro")).toEqual([
    { type: "text", text: "Intro\n" },
    { type: "plan_start" },
    { type: "plan_text", text: "- step\n" },
    { type: "plan_end" },
    { type: "text", text: "Outro" },
  ]);
});

test("text that cannot become a tag is returned at once", () => {
  const splitter = new PlanSplitter();

  expect(splitter.push("Hel")).toEqual([{ type: "text", text: "Hel" }]);
  expect(splitter.push("lo\n<pro")).toEqual([{ type: "text", text: "lo\n" }]);
  expect(splitter.push("gram>")).toEqual([{ type: "text", text: "<program>" }]);
});

test.each([
  ["a tag with words beside it", "  <proposed_plan> extra\n"],
  ["a tag within a line", "see <proposed_plan>\n"],
  ["a closing tag without an opening one", "</proposed_plan>\n"],
  ["half a tag at the end", "text\n<proposed_"],
])("%s is text", (_what, text) => {
  expect(joined(split(text))).toEqual([{ type: "text", text }]);
});

test("within a plan an opening tag is part of it", () => {
  expect(split("<proposed_plan>\n<proposed_plan>\n</proposed_plan>\n")).toEqual([
    { type: "plan_start" },
    { type: "plan_text", text: "<proposed_plan>\n" },
    { type: "plan_end" },
  ]);
});

test("an open plan is closed at the end, also when its tag ends the message", () => {
  expect(split("<proposed_plan>\nstep")).toEqual([
    { type: "plan_start" },
    { type: "plan_text", text: "step" },
    { type: "plan_end" },
  ]);
  expect(split("<proposed_plan>")).toEqual([{ type: "plan_start" }, { type: "plan_end" }]);
});

test("a message is emitted without its plans, and each plan separately", () => {
  const text = "a\n<proposed_plan>\n1\n</proposed_plan>\nb\n<proposed_plan>\n2\n</proposed_plan>\n";

  expect(withoutPlans(text)).toBe("a\nb\n");
  expect(joined(split(text)).filter(({ type }) => type === "plan_text")).toEqual([
    { type: "plan_text", text: "1\n" },
    { type: "plan_text", text: "2\n" },
  ]);
});

test("endless blanks are not held back", () => {
  const splitter = new PlanSplitter();

  const passedOn = splitter.push("<proposed_plan>").concat(splitter.push(" ".repeat(1000)));

  expect(passedOn).toEqual([{ type: "text", text: `<proposed_plan>${" ".repeat(1000)}` }]);
});

test("how a message is cut into deltas makes no difference", () => {
  const part = fc.constantFrom(
    "<proposed_plan>",
    "</proposed_plan>",
    "\n",
    " ",
    "<pro",
    "a",
    "\r\n",
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), fc.infiniteStream(fc.nat(5)), (parts, cuts) => {
      const text = parts.join("");
      const deltas: string[] = [];
      for (let at = 0; at < text.length; ) {
        const size = cuts.next().value ?? 1;
        deltas.push(text.slice(at, at + size));
        at += size;
        if (size === 0) deltas.push(text.slice(at, ++at));
      }
      expect(joined(split(...deltas))).toEqual(joined(split(text)));
    }),
  );
});

function split(...deltas: string[]): PlanPiece[] {
  const splitter = new PlanSplitter();
  return [...deltas.flatMap((delta) => splitter.push(delta)), ...splitter.end()];
}

function joined(pieces: PlanPiece[]): PlanPiece[] {
  const all: PlanPiece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if ("text" in piece && last?.type === piece.type) last.text += piece.text;
    else all.push({ ...piece });
  }
  return all;
}
