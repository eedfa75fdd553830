import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readyApp } from "../test-app.js";

test("a command is completed with tab and run with enter", async () => {
  await using app = await readyApp({ answers: { "thread/compact/start": {} } });
  app.type("/comp");
  expect(await app.until("Summarize the session")).toContain("› /compact");
  app.keys("tab");
  await app.untilGone("Summarize the session");
  await app.until("› /compact");
  app.keys("ctrl+c");
  app.type("/comp");
  await app.until("Summarize the session");
  app.keys("enter");
  expect(await app.server.untilSent("thread/compact/start")).toHaveLength(1);
});

test("enter sends what was typed if the menu has not followed yet", async () => {
  await using app = await readyApp({ answers: { "thread/compact/start": {} } });
  app.type("/");
  await app.until("› /model");
  app.type("compact");
  app.keys("enter");
  expect(await app.server.untilSent("thread/compact/start")).toHaveLength(1);
  expect(app.screen().join("\n")).not.toContain("Select a model");
});

test("tab waits for the completions of what was typed", async () => {
  await using app = await readyApp({
    answers: { fuzzyFileSearch: { files: [{ path: "src/main.ts" }] } },
  });
  app.type("see @m");
  app.keys("tab");
  await app.until("› see src/main.ts");
  app.type("and ");
  app.type("/comp");
  app.keys("ctrl+c");
  app.type("/");
  await app.until("› /model");
  app.type("comp");
  app.keys("tab");
  await app.until("› /compact");
  expect(app.server.sent("turn/start")).toEqual([]);
});

test("up and down move in the menu, around its ends; escape closes it until another word", async () => {
  await using app = await readyApp();
  app.type("/re");
  await app.until("› /review");
  app.keys("down");
  await app.until("› /resume");
  app.keys("up", "up");
  await app.untilGone("› /resume");
  app.keys("escape");
  await app.untilGone("/review");
  app.type("n");
  await app.until("› /ren");
  expect(app.screen().join("\n")).not.toContain("Rename this session");
  app.keys("ctrl+c");
  app.type("/ren");
  await app.until("Rename this session");
});

test("files are completed by the server's search, and quoted if they contain spaces", async () => {
  await using app = await readyApp({
    answers: { fuzzyFileSearch: { files: [{ path: "src/my file.ts" }, { path: "src/main.ts" }] } },
  });
  app.type("see @m");
  await app.until("› src/my file.ts");
  expect(app.server.sent("fuzzyFileSearch")).toEqual([
    { query: "m", roots: ["/project"], cancellationToken: "composer" },
  ]);
  app.keys("tab");
  await app.until('› see "src/my file.ts"');
});

test("a skill that the message mentions is sent with it", async () => {
  const skills = [
    { name: "deploy", description: "Deploy it", path: "/skills/deploy", enabled: true },
    { name: "secret", description: "Hidden", path: "/skills/secret", enabled: false },
  ];
  await using app = await readyApp({ answers: { "skills/list": { data: [{ skills }] } } });
  app.type("$");
  const menu = await app.until("Deploy it");
  expect(menu).not.toContain("Hidden");
  app.keys("enter");
  app.type("now");
  app.keys("enter");
  await app.until("esc to interrupt");
  expect(app.server.sent("turn/start")).toMatchObject([
    {
      input: [
        { type: "text", text: "$deploy now" },
        { type: "skill", name: "deploy", path: "/skills/deploy" },
      ],
    },
  ]);
});

test("a prompt with arguments waits for them", async () => {
  await using app = await readyApp({
    host: { readPrompts: async () => [{ name: "release", argumentHint: "VERSION" }] },
  });
  app.type("/prompts:rel");
  await app.until("VERSION · saved prompt");
  app.keys("enter");
  await app.until("› /prompts:release");
  expect(app.server.sent("turn/start")).toEqual([]);
});

test("a failing search closes the menu and nothing else", async () => {
  await using app = await readyApp({ answers: { fuzzyFileSearch: new Error("slow") } });
  app.type("@a");
  expect(await app.server.untilSent("fuzzyFileSearch")).toHaveLength(1);
  expect(await app.until("› @a")).not.toContain("slow");
});

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("the dropped path of an image attaches it, as long as its placeholder is in the text", async () => {
  const folder = await mkdtemp(join(tmpdir(), "quire-image-"));
  const file = join(folder, "a.png");
  await writeFile(file, png);
  await using app = await readyApp();

  app.keys(`\x1b[200~${file}\x1b[201~`);
  await app.until("› [Image #1]");
  app.type("what is this?");
  app.keys("enter");
  await app.until("esc to interrupt");

  expect(app.server.sent("turn/start")).toMatchObject([
    {
      input: [
        { type: "image", url: expect.stringMatching(/^data:image\/png;base64,/) },
        { type: "text", text: "[Image #1] what is this?" },
      ],
    },
  ]);
  await rm(folder, { recursive: true });
});

test("the path of a file that is no image is pasted as text", async () => {
  await using app = await readyApp();
  app.keys("\x1b[200~/nowhere/a.png\x1b[201~");
  await app.until("› /nowhere/a.png");
});

test("a long paste is collapsed in the composer and sent whole", async () => {
  await using app = await readyApp();
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`).join("\r");
  app.keys(`\x1b[200~${lines}\r\x1b[201~`);
  await app.until(/› \[paste #1 \+20 lines\]/);
  app.keys("enter");
  await app.until("esc to interrupt");
  const text = lines.replaceAll("\r", "\n");
  expect(app.server.sent("turn/start")).toMatchObject([{ input: [{ text }] }]);
});

test("control sequences in a paste are removed", async () => {
  await using app = await readyApp();
  app.keys("\x1b[200~a\x1b[2Jb\u202ec\x1b[201~");
  await app.until("› abc");
});
