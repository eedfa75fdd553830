import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type EraName, eraNamed } from "../../src/compat/index.js";
import { toUserMessage } from "../../src/engine/messages.js";

const folder = mkdtempSync(join(tmpdir(), "quire-images-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const json = file("notes.json", "{}");
const odd = file("notes", "?");
const svg = file("drawing.svg", "<svg/>");
const fake = file("photo.png", "no picture");
const missing = join(folder, "missing.png");

describe("[compat images] an attachment that is not an image becomes a text for the model", () => {
  test.each<[EraName, string, string]>([
    ["0.104", missing, `could not read the local image at \`${missing}\`: ENOENT`],
    ["0.104", json, `\`${json}\`: unsupported MIME type \`application/json\``],
    ["0.104", odd, `\`${odd}\`: unsupported MIME type (unknown)`],
    ["0.104", svg, `\`${svg}\`: unsupported image format \`image/svg+xml\`.`],
    ["0.104", fake, `\`${fake}\`: unsupported image format \`image/png\`.`],
    ["0.166", json, `\`${json}\`: unsupported image \`application/json\`.`],
    ["0.166", odd, `\`${odd}\`: unsupported image \`unknown\`.`],
    ["current", svg, `\`${svg}\`: unsupported image \`image/svg+xml\`.`],
  ])("in %s: %s", async (era, path, words) => {
    expect(await contentOf(era, path)).toEqual([
      { type: "input_text", text: expect.stringContaining(words) },
    ]);
  });

  test("in 2025 it was left out", async () => {
    expect(await contentOf("0.42", missing)).toEqual([]);
  });
});

async function contentOf(name: EraName, path: string) {
  const era = eraNamed(name);
  if (era === undefined) throw new Error(`no era ${name}`);
  const message = await toUserMessage([{ type: "local_image", path }], era.engine);
  return message.type === "message" ? message.content : undefined;
}
