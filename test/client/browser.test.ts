import { resolve } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { connect } from "../../src/transport/browser.js";

test.each([
  ["unix:///run/quire.sock", {}, "Expected an address with ws:// or wss://"],
  ["ws://127.0.0.1:1", { token: "t" }, "`token` cannot be used in a page"],
  ["wss://host", { tls: {} }, "`tls` cannot be used in a page"],
])("a page is told what it cannot do: %s %j", async (url, options, problem) => {
  await expect(connect(url, options)).rejects.toThrow(problem);
});

test("a bundle for a browser loads no module of Node until it dials a transport of Node", async () => {
  const { metafile } = await build({
    absWorkingDir: resolve(import.meta.dirname, "../.."),
    stdin: {
      contents: `export { connectAppServer, ThreadEventReader, Thread } from "./src/client/index.js";`,
      resolveDir: resolve(import.meta.dirname, "../.."),
    },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    external: ["node:*", "ws", "@grpc/grpc-js", "@lydell/node-pty"],
    outdir: "unused",
    write: false,
    metafile: true,
    loader: { ".md": "text", ".lark": "text" },
    logLevel: "silent",
  });
  const loaded = new Set<string>();
  const visit = (file: string) => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const { path, kind } of metafile.outputs[file]?.imports ?? []) {
      if (kind === "import-statement") visit(path);
    }
  };
  visit("unused/stdin.js");

  expect(Object.keys(metafile.outputs)).toContain("unused/stdin.js");
  expect([...loaded].filter((name) => !name.startsWith("unused/"))).toEqual([]);
});
