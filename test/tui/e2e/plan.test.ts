import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { calls, says } from "../../support/model.js";
import { hasTmux, startTerminal } from "../../support/terminal.js";

const sizes = [
  [120, 40],
  [80, 24],
  [60, 20],
] as const;

const questions = [
  {
    id: "color",
    header: "Color",
    question: "Which color should the door have?",
    options: [
      { label: "Red", description: "Warm and easy to see from the street" },
      { label: "Blue", description: "Calm" },
    ],
  },
  {
    id: "time",
    header: "Time",
    question: "When should it be painted?",
    options: [
      { label: "Now", description: "At once" },
      { label: "Later", description: "Next week" },
    ],
  },
];

const planned =
  "Here is my plan.\n<proposed_plan>\n# Paint\n\n1. Touch `door.txt`\n</proposed_plan>\n";

describe.skipIf(!(await hasTmux()))("plan mode", () => {
  test.each(sizes)(
    "ends in a dialog that implements the plan, at %i x %i",
    async (columns, rows) => {
      await using terminal = await startTerminal({
        columns,
        rows,
        model: [
          calls("shell", { command: ["touch", "early.txt"] }, "t1"),
          calls("request_user_input", { questions }, "q1"),
          says(planned, ...(planned.match(/.{1,9}|\n/gs) ?? [])),
          calls("shell", { command: ["touch", "door.txt"] }, "t2"),
          says("Painted."),
        ],
      });
      await terminal.until("Describe a task");
      await terminal.keys("BTab");
      await terminal.until("Plan mode is on");
      await terminal.type("paint the door");
      await terminal.keys("Enter");

      await terminal.until("Color (1/2)");
      await terminal.keys("2");
      await terminal.until("Time (2/2)");
      await terminal.keys("Left");
      await terminal.until(/2\. Blue ✔/);
      await terminal.keys("1");
      await terminal.until("Time (2/2)");
      await terminal.keys("Tab");
      await terminal.type("before noon");
      await terminal.keys("Enter");

      await terminal.until("Implement this plan?");
      expect(existsSync(join(terminal.workspace, "early.txt"))).toBe(false);
      const before = await terminal.history();
      expect(before).toMatch(/Answered 2 questions[\s\S]*› Red[\s\S]*› Now\n\s+note: before noon/);
      expect(before).toMatch(
        /Here is my plan\.\s+• Proposed plan\s+(?:# )?Paint\s+1\. Touch door\.txt/,
      );
      await terminal.keys("1");

      await terminal.until("Painted.");
      await terminal.until((screen) => !/Working/.test(screen));
      expect(existsSync(join(terminal.workspace, "door.txt"))).toBe(true);
      const after = await terminal.history();
      for (const text of [
        "Here is my plan.",
        "• Proposed plan",
        "› Implement the plan.",
        "Painted.",
      ]) {
        expect(after.split(text)).toHaveLength(2);
      }
      expect(after).not.toContain("Implement this plan?");
      expect(after).not.toContain("Time (2/2)");

      await terminal.keys("C-d");
      await terminal.until("ended with 0");
      await terminal.restart("resume", "--last");
      await terminal.until(/resumed[\s\S]*Describe a task|Painted\.[\s\S]*Describe a task/);
      const resumed = await terminal.history();
      expect(resumed).toMatch(/Answered 2 questions[\s\S]*› Now\n\s+note: before noon/);
      expect(resumed).toMatch(/Here is my plan\.\s+• Proposed plan/);
    },
  );

  const anySize = "at %i x %i";

  test.each(sizes)(
    `a plan can be edited, and implemented in a new session, ${anySize}`,
    async (columns, rows) => {
      await using terminal = await startTerminal({
        columns,
        rows,
        env: { EDITOR: "sed -i s/door/gate/" },
        model: [says(planned), says("Painted the gate.")],
      });
      await terminal.until("Describe a task");
      await terminal.type("/plan paint the door");
      await terminal.keys("Enter");

      await terminal.until("Implement this plan?");
      await terminal.keys("4");
      await terminal.until("Implement the edited plan?");
      await terminal.keys("2");

      await terminal.until("Painted the gate.");
      const sent = JSON.stringify(terminal.model.requests[1]?.body);
      expect(sent).toContain("Touch `gate.txt`");
      expect(sent).not.toContain("paint the door");
      expect(sent).not.toContain("<proposed_plan>");
    },
  );

  test.each(sizes)(
    `keep planning returns to the composer, and the mode stays, ${anySize}`,
    async (columns, rows) => {
      const model = [says(planned), says("Which color?")];
      await using terminal = await startTerminal({ columns, rows, model });
      await terminal.until("Describe a task");
      await terminal.type("/plan paint the door");
      await terminal.keys("Enter");

      await terminal.until("Implement this plan?");
      await terminal.keys("3");
      await terminal.until("Describe a task");
      await terminal.type("use a brush");
      await terminal.keys("Enter");

      await terminal.until("Which color?");
      const tools = JSON.stringify(terminal.model.requests[1]?.body);
      expect(tools).toContain("read-only");
    },
  );
});
