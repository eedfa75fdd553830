import { expect, test } from "vitest";
import { mediaTypeOf } from "../../src/lib/media-type.js";

test.each([
  ["a.png", "image/png"],
  ["/x/y.z/A.JPEG", "image/jpeg"],
  ["archive.tar.gz", "application/gzip"],
  ["C:\\notes\\a.md", "text/markdown"],
  [".md", "text/markdown"],
  ["a.unknown", undefined],
  ["png", undefined],
  ["folder.png/file", undefined],
  ["a.", undefined],
  ["a.constructor", undefined],
  ["", undefined],
])("%j has the media type %j", (path, type) => {
  expect(mediaTypeOf(path)).toBe(type);
});
