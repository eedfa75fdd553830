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
writeFileSync(join(project, "cart.js"), "export const total = (items) =>\n  items.length * 2;\n");
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
  " export const total = (items) =>",
  "-  items.length * 2;",
  "+  items.reduce((sum, { price }) => sum + price, 0);",
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
        "The total counted items instead of adding their prices. It now uses `reduce`:\n\n" +
        "```js\ntotal([{ price: 3 }, { price: 4 }]); // 7\n```\n\nNext I would run the tests.",
    },
  ],
  [{ call: "shell_command", args: { command: "node --test" }, call_id: "c9" }],
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
  const viewport = { width: 1200, height: 820 };
  const context = await browser.newContext({ viewport, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(address);
  await page.getByRole("button", { name: "Pair" }).click();
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
  await page.getByRole("textbox", { name: "Message" }).fill("Run the tests");
  await page.keyboard.press("Enter");
  await page.getByRole("group", { name: "Approval" }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.screenshot({ path: join(root, "docs/pictures/web-phone.png") });
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
