import { expect, test } from "vitest";
import { withValues } from "../../src/tools/define-tool.js";
import { updatePlan } from "../../src/tools/index.js";

test("the values of a parameter stand in the schema, and the tool is the same otherwise", () => {
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
