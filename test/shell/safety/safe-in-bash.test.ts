import fc from "fast-check";
import { expect, test } from "vitest";
import {
  isKnownSafe,
  latestSafeList,
  parsePlainCommands,
  safeListOf2025,
  safeListOf2026,
} from "../../../src/shell/index.js";
import { repeats } from "../../support/counts.js";
import { programs, recordScripts } from "../support/recording-bash.js";

const seed = 20261115;

const program = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      "ls",
      "cat",
      "echo",
      "grep",
      "head",
      "find",
      "git status",
      "sed -n 1p",
      "wc",
      "cd",
      "true",
      "rg x",
      "uniq",
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...programs,
      "/bin/ls",
      "./ls",
      "l\\s",
      "A=1 ls",
      "! ls",
      "time ls",
      "'ls'",
      "exec ls",
      "command ls",
      "eval ls",
      "builtin echo",
    ),
  },
);
const plainArgument = fc.constantFrom(
  "-l",
  "a.txt",
  "'b c'",
  '"b c"',
  "x-y",
  "--n=1",
  "123",
  "''",
  "a'b'\"c\"",
  "é",
  "=x",
  "-",
);
const nastyArgument = fc.constantFrom(
  "$(evil)",
  "`evil`",
  '"$(evil)"',
  "'$(evil)'",
  "$X",
  "$" + "{X:-$(evil)}",
  "$((1))",
  "*",
  "?.txt",
  "[a]*",
  "{a,b}",
  "~",
  "a\\ b",
  "\\",
  "<(evil)",
  "> out",
  ">>a.txt",
  "2>&1",
  "&> out",
  "<a.txt",
  "<<EOF\nx\nEOF\n",
  "<<<x",
  "# c",
  "\\\n",
  "$'\\x61'",
  '$"a"',
  "!",
  "-exec evil {} +",
  "-delete",
  "--pre=evil",
  "-oout",
  "-fscript",
  "(evil)",
  "()",
  "\r",
  "\u00a0",
  "\u2028",
  "\u0007",
);
const argument = fc.oneof(
  { weight: 5, arbitrary: plainArgument },
  { weight: 1, arbitrary: nastyArgument },
);
const command = fc
  .tuple(program, fc.array(argument, { maxLength: 3 }))
  .map(([name, args]) => [name, ...args].join(" "));
const connector = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(" && ", " || ", "; ", " | ", "\n", "|") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      " & ",
      " |& ",
      ";; ",
      "\n\n",
      " &&\n",
      "&",
      " \\\n ",
      "\r\n",
      ";\n",
      "",
    ),
  },
);
const line = fc
  .array(fc.tuple(command, connector), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.flat().slice(0, -1).join(""));
// Inserting a character anywhere creates strings that a grammar would never write.
const mutated = fc
  .tuple(line, fc.nat(), fc.constantFrom(..."'\"\\$`!#&|;<>(){}[]*?~=^\n\t %@"))
  .map(([text, at, char]) => {
    const index = at % (text.length + 1);
    return text.slice(0, index) + char + text.slice(index);
  });
const script = fc.oneof(
  { weight: 2, arbitrary: line },
  { weight: 2, arbitrary: mutated },
  { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
);

const count = repeats(5_000, 1_500);

test("of thousands of strings, those called safe start nothing else and write nothing in bash", async () => {
  const scripts = fc.sample(script, { numRuns: count, seed });
  const lists = [safeListOf2025, safeListOf2026, latestSafeList];
  const safe = [...new Set(scripts)].filter(
    (text) =>
      !text.includes("\0") &&
      lists.some((list) => isKnownSafe(["bash", "-lc", text], list, "linux")),
  );
  expect(safe.length, `seed ${seed}: too few safe strings to mean anything`).toBeGreaterThan(
    count / 12.5,
  );

  const recordings = await recordScripts(safe);

  const wrong = safe.flatMap((text, index) => {
    const named = new Set(
      (parsePlainCommands(text) ?? []).map((argv) => JSON.stringify(recorded(argv))),
    );
    const { started = [], changedFiles = true } = recordings[index] ?? {};
    const unexpected = started.filter((argv) => !named.has(JSON.stringify(argv)));
    return changedFiles || unexpected.length > 0 ? [{ text, unexpected, changedFiles }] : [];
  });
  expect(wrong, `seed ${seed}`).toEqual([]);
});

test("the recording shows the programs and writes of unsafe scripts", async () => {
  const unsafe = [
    "echo $(evil a)",
    "ls > a.txt",
    "ls; touch 'x y'",
    "cat <(evil)",
    "A=1 evil | ls",
  ];

  const recordings = await recordScripts(unsafe);

  expect(recordings).toEqual([
    { started: expect.arrayContaining([["evil", "a"], ["echo"]]), changedFiles: false },
    { started: [["ls"]], changedFiles: true },
    { started: [["ls"], ["touch", "x y"]], changedFiles: true },
    { started: expect.arrayContaining([["evil"]]), changedFiles: true },
    { started: expect.arrayContaining([["evil"], ["ls"]]), changedFiles: true },
  ]);
});

/** Programs are recorded by their base name. */
function recorded([name = "", ...args]: readonly string[]): string[] {
  return [name.split("/").at(-1) ?? "", ...args];
}
