import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";

/** Tests that load the machine; only `npm run test:heavy` runs them. */
export const heavyOnly = [
  "test/heavy/**/*.test.ts",
  "test/web/heavy/**/*.test.ts",
  "test/tui/e2e/walks/**/*.test.ts",
  "test/cli/commands/app-server-generate.test.ts",
  "test/cli/commands/generated-types.test.ts",
  "test/cli/commands/inspect.test.ts",
  "test/fleet/gateway/processes.test.ts",
  "test/fleet/nats/nats.test.ts",
  "test/fleet/simulate/simulate.test.ts",
  "test/fleet/worker/processes.test.ts",
  "test/hooks/stress.test.ts",
  "test/inspect/recordings.test.ts",
  "test/mcp/hostile.test.ts",
  "test/package/conformance.test.ts",
  "test/package/package.test.ts",
  "test/project/git/hostile-repository.test.ts",
  "test/scripts/pack-program.test.ts",
  "test/telemetry/fleet.test.ts",
  "test/threats/**/*.test.ts",
  "test/transport/clients.test.ts",
  "test/tui/e2e/first-hour.test.ts",
  "test/tui/e2e/flows.test.ts",
  "test/tui/e2e/plan.test.ts",
  "test/web/flow.test.ts",
  "test/web/inspect.test.ts",
  "test/web/look.test.ts",
  "test/web/mcp.test.ts",
  "test/web/page.test.ts",
  "test/web/parts.test.ts",
  "test/web/rewind/rewind.test.ts",
  "test/web/terminal.test.ts",
];

export default defineConfig({
  plugins: [
    {
      name: "text-files",
      enforce: "pre",
      load(id) {
        if (!/\.(md|lark|txt)$/.test(id)) return null;
        return `export default ${JSON.stringify(readFileSync(id, "utf8"))};`;
      },
    },
  ],
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...heavyOnly],
    isolate: false,
    setupFiles: ["test/support/property-seed.ts"],
    // The tests start thousands of processes; on a loaded CI machine one slow start must not lose the
    // run. Property tests keep their seed, so a retry never hides a counterexample.
    retry: process.env.CI === "true" ? 1 : 0,
    // Most tests wait for processes and sockets, so there are more of them than cores.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
