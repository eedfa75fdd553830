import { expect, test } from "vitest";
import { loadHighlight } from "../../../src/tui/markdown/libraries.js";
import { renderMarkdown } from "../../../src/tui/markdown/render.js";
import { createTheme } from "../../../src/tui/theme/theme.js";
import { plainView, unstyled } from "../view.js";

const render = (source: string, width = 40) => unstyled(renderMarkdown(source, plainView(width)));

test("a paragraph is wrapped between words", () => {
  expect(render("one two three four five six seven eight nine ten", 20)).toEqual([
    "one two three four",
    "five six seven eight",
    "nine ten",
  ]);
});

test("lists have markers and can be nested", () => {
  expect(render("- one\n  - two\n- [x] done\n\n3. three\n4. four")).toEqual([
    "- one",
    "  - two",
    "☑ done",
    "",
    "3. three",
    "4. four",
  ]);
});

test("table columns are aligned, and wrap if the table is too wide", () => {
  const source = "| name | what it is |\n| --- | ---: |\n| a | 1 |\n| bb | 22 |";
  expect(render(source)).toEqual([
    "name  what it is",
    "────  ──────────",
    "a              1",
    "bb            22",
  ]);
  for (const line of render(source, 10)) expect(line.length).toBeLessThanOrEqual(10);
});

test("wide characters count twice", () => {
  expect(render("日本語日本語日本語", 8)).toEqual(["日本語日", "本語日本", "語"]);
});

test("the URL of a link is always shown", () => {
  expect(render("[bank](http://evil.example)")).toEqual(["bank (http://evil.example)"]);
});

test("quotes, rules and HTML", () => {
  expect(render("> a\n> b\n\n---\n\n<b>x</b> & y &lt;z&gt;")).toEqual([
    "│ a",
    "│ b",
    "",
    "────────────────────────",
    "",
    "<b>x</b> & y <z>",
  ]);
});

test("a numeric entity cannot become a control character", () => {
  const source = "a&#27;[2Jb &#x9b;2J `&#27;c` [l&#27;[1m](http://x/&#27;[2J) &#13;&#8;";
  expect(render(source).join("\n")).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
});

test("code is highlighted by language, and its text is unchanged", async () => {
  const theme = createTheme({ name: "dark", depth: "16" });
  const highlight = await loadHighlight(() => theme);
  const lines = renderMarkdown("```ts\nconst a = `x<1>`; // &lt;\n```", {
    ...plainView(60),
    theme,
    highlight,
  });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("\x1b[35mconst\x1b[39m");
  expect(lines[0]?.replaceAll(/\x1b\[\d+m/g, "")).toBe("  const a = `x<1>`; // &lt;");
});

test.each([
  ["quotes in quotes", "> ".repeat(4000)],
  ["marks that never end", "_a_b".repeat(50_000)],
  ["brackets that never close", "[".repeat(200_000)],
  ["lists in lists", Array.from({ length: 3000 }, (_, at) => `${"  ".repeat(at)}- a`).join("\n")],
])("%s render fast, however deep and long they are", (_, source) => {
  const started = process.cpuUsage();

  const lines = render(source);

  expect(lines.length).toBeGreaterThan(0);
  // Parsed as Markdown, some of them would take a minute or overflow the stack.
  expect(process.cpuUsage(started).user).toBeLessThan(10_000_000);
});

test("a long text is parsed block by block", () => {
  const source = Array.from({ length: 3000 }, (_, at) => `**n** ${at}`).join("\n\n");

  const lines = render(source);

  expect(lines).toHaveLength(5999);
  expect(lines.slice(-3)).toEqual(["n 2998", "", "n 2999"]);
});

test("a style that spans lines applies to each of them", () => {
  const view = { ...plainView(40), theme: createTheme("dark") };

  expect(renderMarkdown("**a\nb** c", view)).toEqual(["\x1b[1ma\x1b[0m", "\x1b[1mb\x1b[22m c"]);
});

test("[terminal M5] links are hyperlinks, and a long one is not split", () => {
  const long = `https://example.com/${"path/".repeat(30)}`;
  const source = `See [the docs](https://example.com/docs).\n\n[here](${long})`;
  const text = renderMarkdown(source, plainView(40)).join("\n");
  expect(text).toContain("\x1b]8;;https://example.com/docs\x1b\\the docs\x1b]8;;\x1b\\");
  expect(text.split("\n").at(-1)).toMatch(/^\x1b\]8;id=url;/);
  expect(unstyled(text.split("\n")).at(-1)).toBe(long);
});

test("[terminal R10] a task list has checkboxes", () => {
  expect(render("- [ ] open\n- [x] done\n1. [ ] first")).toEqual([
    "☐ open",
    "☑ done",
    "",
    "1. ☐ first",
  ]);
});

test("[terminal R10] a diff is red and green", async () => {
  const theme = createTheme({ name: "dark", depth: "16" });
  const highlight = await loadHighlight(() => theme);
  const view = plainView(40, { theme, highlight });
  const lines = renderMarkdown("```diff\n-old\n+new\n```", view);
  expect(lines).toEqual(["  \x1b[31m-old\x1b[39m", "  \x1b[32m+new\x1b[39m"]);
});
