import { build } from "esbuild";
import { expect, test } from "vitest";

async function filesOf(entry: string): Promise<string[]> {
  const options = { bundle: true, write: false, metafile: true, format: "esm" } as const;
  const { metafile } = await build({ ...options, platform: "neutral", entryPoints: [entry] });
  return Object.keys(metafile.inputs);
}

test.each(["read/index.ts", "write.ts", "types.ts", "token-usage.ts", "error.ts"])(
  "%s loads no schema library and nothing of Node",
  async (file) => {
    const inputs = await filesOf(`src/protocol/${file}`);

    expect(inputs.filter((path) => path.includes("node_modules"))).toEqual([]);
  },
);

test("the types load nothing at all", async () => {
  expect(await filesOf("src/protocol/types.ts")).toEqual(["src/protocol/types.ts"]);
});
