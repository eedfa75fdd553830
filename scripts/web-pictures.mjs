// Takes the pictures of docs/web.md: `node scripts/web-pictures.mjs` after a build. Needs Chromium.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = join(root, "bin/quire.js");
const folder = mkdtempSync(join(tmpdir(), "quire-pictures-"));
const [home, project] = [join(folder, "home"), join(folder, "bookshop")];
for (const path of [home, project]) mkdirSync(path);
const before = [
  'import { tax } from "./tax.js";',
  "",
  "export function total(items, options = {}) {",
  "  let sum = 0;",
  "  for (const item of items) {",
  "    sum += item.price;",
  "  }",
  "  return sum * tax;",
  "}",
  "",
].join("\n");
writeFileSync(join(project, "cart.js"), before);
const plan = (first, second) => ({
  call: "update_plan",
  args: {
    plan: [
      { step: "Find the wrong total", status: first },
      { step: "Fix it and add a test", status: second },
    ],
  },
});
const patch = [
  "*** Begin Patch",
  "*** Update File: cart.js",
  "@@",
  " export function total(items, options = {}) {",
  "-  let sum = 0;",
  "+  const { rate = tax } = options;",
  "+  let sum = 0;",
  "   for (const item of items) {",
  "-    sum += item.price;",
  "+    sum += item.price * item.count;",
  "   }",
  "-  return sum * tax;",
  "+  return sum * (1 + rate);",
  "*** End Patch",
].join("\n");
const script = [
  [
    { message: "I'll look at how the total is computed." },
    { call: "shell_command", args: { command: "cat cart.js" }, call_id: "c1" },
  ],
  [plan("in_progress", "pending")],
  [{ apply_patch: patch }],
  [plan("completed", "in_progress")],
  [
    {
      message:
        "The total **ignored the count** of each item, and took the tax for the whole. It is now the sum " +
        "of `price * count`, plus tax:\n\n```js\ntotal([{ price: 3, count: 2 }], { rate: 0 }); // 6\n```\n\n" +
        "Next I would run the tests.",
    },
  ],
  [{ call: "shell_command", args: { command: "node --test" }, call_id: "c9" }],
  [{ message: "There are two tests now: one with a discount, one without." }],
];
writeFileSync(join(folder, "script.json"), JSON.stringify(script));

const model = spawn(process.execPath, [bin, "mock-model", join(folder, "script.json")]);
const modelUrl = await firstMatch(model, /(http:\/\/[\d.:]+)/);
writeFileSync(
  join(home, "config.toml"),
  [
    'model = "gpt-5"\nmodel_provider = "mock"\napproval_policy = "untrusted"',
    'sandbox_mode = "danger-full-access"\n[model_providers.mock]\nname = "mock"',
    `base_url = "${modelUrl}/v1"\nwire_api = "responses"\n`,
  ].join("\n"),
);
const env = { PATH: process.env.PATH, HOME: folder, CODEX_HOME: home };
const server = spawn(process.execPath, [bin, "web"], { cwd: project, env });
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
try {
  await takePictures(await firstMatch(server, /^(http\S+)$/m));
} finally {
  await browser.close();
  server.kill();
  model.kill();
  rmSync(folder, { recursive: true, force: true });
}

async function takePictures(address) {
  const viewport = { width: 1440, height: 900 };
  const context = await browser.newContext({ viewport, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(address);
  await page.getByRole("button", { name: "Pair" }).click();
  await page.getByRole("heading", { name: "bookshop" }).waitFor();
  await page.screenshot({ path: join(root, "docs/pictures/web-start.png") });
  await page.getByRole("textbox", { name: "Message" }).fill("The total of the cart is wrong");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await page.getByText("Next I would run the tests").waitFor();
  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
  await page.mouse.move(0, 0);
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.screenshot({ path: join(root, `docs/pictures/web-${colorScheme}.png`) });
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.getByText("Next I would run the tests").hover();
  await page.getByRole("button", { name: "Rewind", exact: true }).click();
  await page.getByRole("list", { name: "Files" }).waitFor();
  await page.screenshot({ path: join(root, "docs/pictures/web-rewind.png") });
  await page.keyboard.press("Escape");
  await page.getByRole("textbox", { name: "Message" }).fill("Run the tests");
  await page.keyboard.press("Enter");
  await page.getByRole("group", { name: "Approval" }).waitFor();
  await page.screenshot({ path: join(root, "docs/pictures/web-approval.png") });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.screenshot({ path: join(root, "docs/pictures/web-phone.png") });
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await page.screenshot({ path: join(root, "docs/pictures/web-phone-dark.png") });
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.setViewportSize(viewport);
  await page.getByRole("button", { name: "Decline and stop" }).click();
  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
  await takeTree(page);
}

/** Takes back the last turn, asks for something else, and shows both branches. */
async function takeTree(page) {
  await page.keyboard.press("Control+k");
  await page.keyboard.type("rewind to before");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Rewind" }).click();
  await page.getByRole("status", { name: "Rewind" }).waitFor();
  await page.getByRole("textbox", { name: "Message" }).fill("Add a test for the discount");
  await page.keyboard.press("Enter");
  await page.getByText("There are two tests now").waitFor();
  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
  await page.getByRole("textbox", { name: "Message" }).blur();
  await page.keyboard.press("t");
  await page.getByRole("radio").nth(2).waitFor({ state: "attached" });
  await page.screenshot({ path: join(root, "docs/pictures/web-tree.png") });
}

/** Waits for output; the process goes on writing afterwards. */
function firstMatch(child, pattern) {
  let output = "";
  return new Promise((resolve, reject) => {
    const read = (data) => {
      output += data;
      const found = pattern.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", () => reject(new Error(`It ended first: ${output}`)));
  });
}
