import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { ToolChoice } from "../../src/tools/define-tool.js";
import type { ToolContext } from "../../src/tools/tool.js";
import {
  viewImage,
  viewImageClosely,
  viewImagePlain,
  viewImageWithDetail,
} from "../../src/tools/view-image.js";

const onePixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Runs the tool in a folder with `dot.png` and `notes.txt`. */
async function run(args: unknown, tool = viewImageClosely) {
  const cwd = mkdtempSync(join(tmpdir(), "quire-image-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  writeFileSync(join(cwd, "dot.png"), onePixel);
  writeFileSync(join(cwd, "notes.txt"), "text");
  const events: unknown[] = [];
  const inputs: unknown[] = [];
  const context = {
    callId: "c1",
    turn: { cwd },
    emit: (msg: unknown) => events.push(msg),
    addInput: (items: unknown) => inputs.push(items),
  } as unknown as ToolContext;
  const output = await tool.run({ text: JSON.stringify(args) }, context);
  return { cwd, output, events, inputs };
}

test("an image is attached to the next request, and clients see its path", async () => {
  const { cwd, output, events, inputs } = await run({ path: "dot.png", detail: "original" });

  const path = join(cwd, "dot.png");
  expect(output).toEqual({ text: "attached local image path", success: true });
  expect(events).toEqual([{ type: "view_image_tool_call", call_id: "c1", path }]);
  expect(inputs).toEqual([[{ type: "local_image", path, detail: "original" }]]);
});

test.each([
  [{ path: "dot.png" }, "high"],
  [{ path: "dot.png", detail: "original" }, "original"],
])("0.166 has the picture of %j in the output, with detail %s", async (args, detail) => {
  const choice = { behavior: { richSchemas: true } } as ToolChoice;
  const { output, events, inputs } = await run(args, viewImageWithDetail.insteadIn?.(choice));

  const image_url = `data:image/png;base64,${onePixel.toString("base64")}`;
  expect(output.parts).toEqual([{ type: "input_image", image_url, detail }]);
  expect(events).toHaveLength(1);
  expect(inputs).toEqual([]);
});

test("an unknown detail is ignored", async () => {
  const { inputs, cwd } = await run({ path: "dot.png", detail: "huge" });

  expect(inputs).toEqual([[{ type: "local_image", path: join(cwd, "dot.png") }]]);
});

test.each(["missing.png", "notes.txt"])("%s cannot be attached", async (path) => {
  const { cwd, output, events, inputs } = await run({ path });

  expect(output.success).toBe(false);
  expect(output.text).toContain(`unable to attach the image at ${join(cwd, path)}: `);
  expect([...events, ...inputs]).toEqual([]);
});

test("models without a choice of detail are offered the path only", () => {
  expect(JSON.stringify(viewImage.spec)).not.toContain("detail");
  expect(viewImage.isReadOnly?.({ text: '{"path":"x"}' })).toBe(true);
});

test.each([
  [{ known: true }, true, "with detail"],
  [{ known: false }, true, "plain"],
  [{ known: true }, false, "plain"],
])("the model %j with detail in the era: %s is offered it %s", (family, richSchemas, form) => {
  const turn = { family } as never;
  const choice = { viewImage: true, behavior: { richSchemas } } as ToolChoice;

  expect(viewImageWithDetail.offeredIn?.(turn, choice)).toBe(form === "with detail");
  expect(viewImagePlain.offeredIn?.(turn, choice)).toBe(form === "plain");
});

test.each([
  ["the user has turned it off", { viewImage: false }, {}],
  ["a review has commands only", { viewImage: true }, { isReview: true }],
])("it is not offered if %s", (_, chosen, settings) => {
  const choice = { behavior: { reviewTools: "commands" }, ...chosen } as ToolChoice;
  const turn = { family: { known: true }, ...settings } as never;

  expect(viewImagePlain.offeredIn?.(turn, choice)).toBe(false);
  expect(viewImageWithDetail.offeredIn?.(turn, choice)).toBe(false);
});
