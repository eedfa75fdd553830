import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const src = resolve(import.meta.dirname, "../../src");

/** The files that the root door exports from. */
const files = [
  "index.ts",
  "protocol/error.ts",
  "client/approvals.ts",
  "client/codex.ts",
  "client/own-tools.ts",
  "client/thread.ts",
  "client/thread-options.ts",
  "client/thread-events/event.generated.ts",
];

test.each(files)("[embedding R6] every member in %s has a text to hover over", (file) => {
  const lines = readFileSync(join(src, file), "utf8").split("\n");
  const bare: string[] = [];
  let inside = false;
  for (const [at, line] of lines.entries()) {
    if (/^export (interface|class|type|function|const) \w/.test(line)) {
      inside = /^export (interface|class)\b.*\{$/.test(line);
      if (!isDocumented(lines, at)) bare.push(line);
    } else if (line === "}") inside = false;
    else if (inside && member.test(line) && !isDocumented(lines, at)) bare.push(line.trim());
  }

  expect(bare).toEqual([]);
});

/** A field or method of an interface or class that callers see. */
const member =
  /^ {2}(?!constructor\b|#|return\b|private\b)(?:override |readonly |get |async )*\w+\??[:(]/;

function isDocumented(lines: readonly string[], at: number): boolean {
  return (
    /\*\/$|override readonly name/.test(lines[at - 1] ?? "") ||
    /override readonly name/.test(lines[at] ?? "")
  );
}
