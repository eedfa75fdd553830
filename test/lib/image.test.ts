import { execFileSync } from "node:child_process";
import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readImage, toImageDataUrl } from "../../src/lib/image.js";
import { temporaryFolder } from "../project/temporary-folder.js";

const png = Buffer.from("\x89PNG\r\n\x1a\nrest", "latin1");

test.each([
  ["image/png", png],
  ["image/jpeg", Buffer.from("\xff\xd8\xff\xe0", "latin1")],
  ["image/gif", Buffer.from("GIF87a")],
  ["image/gif", Buffer.from("GIF89a")],
  ["image/webp", Buffer.from("RIFF....WEBP")],
  ["image/bmp", Buffer.from("BM......")],
])("the first bytes show %s", (type, bytes) => {
  expect(toImageDataUrl(bytes)).toBe(`data:${type};base64,${bytes.toString("base64")}`);
});

test.each([Buffer.from(""), Buffer.from("GIF8"), Buffer.from("<svg/>"), Buffer.from("WEBP")])(
  "%j is no picture",
  (bytes) => {
    expect(toImageDataUrl(bytes)).toBeUndefined();
  },
);

test("a picture is read from disk; anything else is a problem, not an exception", async () => {
  await using folder = await temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  await writeFile(at("a.txt"), png);
  await writeFile(at("a.png"), "no picture");
  await writeFile(at("large.png"), png);
  await truncate(at("large.png"), 20 * 1024 * 1024 + 1);
  execFileSync("mkfifo", [at("pipe.png")]);

  expect(await readImage(at("a.txt"))).toEqual({ url: toImageDataUrl(png) });
  expect(await readImage(at("a.png"))).toEqual({
    problem: "it is not a supported image",
    foreign: true,
  });
  expect(await readImage(at("large.png"))).toEqual({ problem: "it is larger than 20 MiB" });
  expect(await readImage(at("pipe.png"))).toEqual({ problem: "it is not a file" });
  expect(await readImage(folder.path)).toEqual({ problem: "it is not a file" });
  expect((await readImage(at("missing.png"))).problem).toContain("ENOENT");
});
