import fc from "fast-check";
import { expect, test } from "vitest";
import { PatchStream, parsePatch } from "../../src/patch/index.js";

test("sections appear as soon as their lines are complete", () => {
  const stream = new PatchStream();

  stream.push("*** Begin Patch\n*** Add File: a\n+one\n+tw");
  const early = structuredClone(stream.hunks);
  stream.push("o\n*** End Patch");
  const error = stream.finish();

  expect(early).toEqual([{ type: "add", path: "a", contents: "one\n" }]);
  expect(stream.hunks).toEqual([{ type: "add", path: "a", contents: "one\ntwo\n" }]);
  expect(error).toBeUndefined();
});

test("parsing stops at the first error", () => {
  const stream = new PatchStream();

  const first = stream.push("no patch\n");
  const second = stream.push("*** Begin Patch\n");

  expect(first).toEqual({
    kind: "invalid_patch",
    message: "The first line of the patch must be '*** Begin Patch'",
  });
  expect(second).toEqual(first);
  expect(stream.finish()).toEqual(first);
});

test("hostile text is parsed or refused, however it is split", () => {
  const marker = fc.constantFrom(
    "*** Begin Patch",
    "*** End Patch",
    "*** Add File: a",
    "*** Delete File: b",
    "*** Update File: c",
    "*** Move to: d",
    "*** End of File",
    "*** Environment ID: e",
    "@@",
    "@@ x",
    "+",
    "-y",
    " ",
    "",
  );
  const line = fc.oneof({ weight: 5, arbitrary: marker }, fc.string({ unit: "binary" }));
  const text = fc
    .tuple(fc.boolean(), fc.array(line, { maxLength: 12 }))
    .map(([begin, lines]) => [...(begin ? ["*** Begin Patch"] : []), ...lines].join("\n"));

  fc.assert(
    fc.property(text, fc.array(fc.nat(200), { maxLength: 5 }), (whole, cuts) => {
      const stream = new PatchStream();
      let error: unknown;
      for (const piece of cutAt(whole, cuts)) error = stream.push(piece);
      error = stream.finish();

      const parsed = parsePatch(whole, { mode: "strict" });
      if (parsed.ok && whole === whole.trim()) {
        expect({ error, hunks: stream.hunks }).toEqual({
          error: undefined,
          hunks: parsed.patch.hunks,
        });
      } else if (!parsed.ok && error === undefined) {
        expect(whole).not.toBe(whole.trim());
      }
    }),
    { numRuns: 5_000 },
  );
});

function cutAt(text: string, cuts: number[]): string[] {
  const places = [...new Set([0, ...cuts, text.length])].filter((place) => place <= text.length);
  places.sort((a, b) => a - b);
  return places.map((place, index) => text.slice(place, places[index + 1]));
}
