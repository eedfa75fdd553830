import { expect, test } from "vitest";
import { apiFiles, withDescriptions } from "../../scripts/generate/api/api-docs.js";
import { type ApiExport, readApi } from "../../scripts/generate/api/read-api.js";

// The schemas of the protocol have descriptions instead: test/scripts/document-types.test.ts.
const files = [...apiFiles().entries()].filter(([entry]) => entry !== "./protocol");
const api = readApi(files.map(([, file]) => file));

test.each(files)(
  "[embedding R6] every member that %s exports has a text to hover over",
  (_, file) => {
    const found = (api.get(file) ?? []).map(withDescriptions);

    expect(found.length).toBeGreaterThan(10);
    expect(found.flatMap(undocumented)).toEqual([]);
  },
);

function undocumented({ name, text, members }: ApiExport): string[] {
  const bare = members.filter((member) => member.text === "");
  return [...(text === "" ? [name] : []), ...bare.map(({ signature }) => `${name}: ${signature}`)];
}
