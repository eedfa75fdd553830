import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [
    {
      name: "text-files",
      enforce: "pre",
      load(id) {
        if (!/\.(md|lark)$/.test(id)) return null;
        return `export default ${JSON.stringify(readFileSync(id, "utf8"))};`;
      },
    },
  ],
  test: {
    include: ["test/**/*.test.ts"],
    // Load tests take longer than all others together; `npm run test:heavy` runs them alone.
    exclude: [...configDefaults.exclude, "test/heavy/**"],
    isolate: false,
    // Most tests wait for processes and sockets, so there are more of them than cores.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
