import { expect, test } from "vitest";
import { cellsOfItem } from "../../../src/tui/state/from-item.js";
import type { WireItem } from "../../../src/tui/wire.js";

const tool = { kind: "tool", status: "completed" };

test.each<[object, object[]]>([
  [
    { type: "plan", text: "# A\n\nb" },
    [
      { kind: "proposal" },
      { kind: "agent", isFirst: false, isTight: false, source: "# A" },
      { kind: "agent", isFirst: false, isTight: false, source: "b" },
    ],
  ],
  [
    { type: "reasoning", summary: ["a", "b"], content: ["c"] },
    [{ kind: "reasoning", text: "a\n\nb" }],
  ],
  [{ type: "reasoning", summary: [], content: ["c"] }, [{ kind: "reasoning", text: "c" }]],
  [{ type: "reasoning", summary: [" "] }, []],
  [
    { type: "dynamicToolCall", tool: "lookup", arguments: { id: 7 }, status: "failed" },
    [{ kind: "tool", title: "Called lookup", detail: '{"id":7}', status: "failed" }],
  ],
  [
    { type: "webSearch", query: "node lts" },
    [{ ...tool, title: "Searched the web for", detail: "node lts" }],
  ],
  [
    { type: "webSearch", query: "", action: { type: "search", queries: ["a", "b"] } },
    [{ ...tool, title: "Searched the web for", detail: "a, b" }],
  ],
  [
    { type: "webSearch", query: "q", action: { type: "openPage", url: "https://x" } },
    [{ ...tool, title: "Opened", detail: "https://x" }],
  ],
  [
    {
      type: "webSearch",
      query: "q",
      action: { type: "findInPage", pattern: "p", url: "https://x" },
    },
    [{ ...tool, title: "Searched for", detail: "p in https://x" }],
  ],
  [
    { type: "imageView", path: "/a.png" },
    [{ ...tool, title: "Viewed", detail: "/a.png", imagePath: "/a.png" }],
  ],
  [
    { type: "imageGeneration", status: "completed", savedPath: "/home/ig_1.png" },
    [{ ...tool, title: "Generated", detail: "/home/ig_1.png" }],
  ],
  [
    { type: "imageGeneration", status: "failed" },
    [{ ...tool, title: "Generated", detail: "no picture (failed)", status: "failed" }],
  ],
  [{ type: "enteredReviewMode", review: "r" }, [{ kind: "review", hasEnded: false, text: "r" }]],
  [{ type: "contextCompaction" }, [{ kind: "notice", level: "info", text: "Context compacted" }]],
  [{ type: "somethingNew" }, []],
])("%j is shown as %j", (item, cells) => {
  expect(cellsOfItem({ id: "i", ...item } as WireItem)).toEqual(cells);
});

test("the output of a command is kept once, outside of its item", () => {
  const [cell] = cellsOfItem({
    type: "commandExecution",
    id: "i",
    command: "ls",
    status: "completed",
    aggregatedOutput: "a\n",
  } as WireItem);
  expect(cell).toMatchObject({ kind: "command", isDone: true, item: { aggregatedOutput: null } });
  expect(cell?.kind === "command" && cell.output.text()).toBe("a\n");
});
