import { expect, test } from "vitest";
import type { Row } from "../../../bench/against/rounds.js";
import type { Side } from "../../../bench/against/side.js";
import { toMarkdown, toTable } from "../../../bench/against/table.js";

const ours: Side = { name: "quire", kind: "ours", appServer: [], model: "m" };
const theirs: Side = { name: "codex 0.166.0", kind: "reference", appServer: [], model: "m" };

function row(samples: Record<string, number[]>): Row {
  const head = { key: "initialize", name: "start", unit: "ms", better: "less" } as const;
  return { ...head, samples: new Map(Object.entries(samples)) };
}

test("the table shows the targets, and a dash for a side that was not measured", () => {
  const measured = row({ quire: [10], "codex 0.166.0": [20] });
  const alone = row({ "codex 0.166.0": [20] });

  expect(toMarkdown(toTable([measured, alone], [ours, theirs]))).toBe(
    [
      "| figure | quire | codex 0.166.0 |",
      "| --- | --- | --- |",
      "| start | 10.0 ms | 20.0 ms; **×0.500**, aim ≤ 0.4 ✗ |",
      "| start | – | 20.0 ms |",
    ].join("\n"),
  );
});
