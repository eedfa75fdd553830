import { expect, test } from "vitest";
import { webSearchForTurn } from "../../../src/engine/local/tools.js";

test.each([
  ["live", false, "read-only", "live"],
  ["disabled", true, "danger-full-access", "disabled"],
  [undefined, false, "danger-full-access", "disabled"],
  [undefined, true, "danger-full-access", "live"],
  [undefined, true, "workspace-write", "cached"],
  [undefined, true, "read-only", "cached"],
] as const)(
  "web search of a turn: %s, available %s, %s → %s",
  (explicit, available, sandbox, mode) => {
    expect(webSearchForTurn({ explicit, available, sandbox })).toBe(mode);
  },
);
