import { describe, expect, test } from "vitest";
import { checkValues } from "../../../src/config/check/check-values.js";
import { fileShape } from "../../../src/config/check/shape.generated.js";
import type { Table } from "../../../src/config/toml/table.js";

/** Checks values against the shape of config.toml. */
function check(values: object) {
  return checkValues(values as Table, fileShape);
}

describe("values of the wrong type", () => {
  test.each([
    [{ model: 1 }, ["model"], "a string", "1"],
    [{ model: ["a"] }, ["model"], "a string", "a list"],
    [{ model: [] }, ["model"], "a string", "an empty list"],
    [{ model: {} }, ["model"], "a string", "a table"],
    [{ model: new Date(0) }, ["model"], "a string", "the date 1970-01-01T00:00:00.000Z"],
    [{ hide_agent_reasoning: "yes" }, ["hide_agent_reasoning"], "true or false", '"yes"'],
    [{ notify: "cmd" }, ["notify"], "a list of strings", '"cmd"'],
    [{ notify: [1] }, ["notify", "0"], "a string", "1"],
    [{ tui: 7 }, ["tui"], "a table", "7"],
    [{ tui: { theme: true } }, ["tui", "theme"], "a string", "true"],
    [
      { tui: { notifications: 1 } },
      ["tui", "notifications"],
      "true or false or a list of strings",
      "1",
    ],
    [{ mcp_servers: "x" }, ["mcp_servers"], "a table of tables", '"x"'],
    [{ mcp_servers: { a: 1 } }, ["mcp_servers", "a"], "a table", "1"],
    [{ mcp_servers: { a: { env: { A: 1 } } } }, ["mcp_servers", "a", "env", "A"], "a string", "1"],
    [
      { mcp_servers: { a: { startup_timeout_sec: -1 } } },
      ["mcp_servers", "a", "startup_timeout_sec"],
      "a number of at least 0",
      "-1",
    ],
    [{ model_context_window: 0 }, ["model_context_window"], "a whole number of at least 1", "0"],
    [
      { model_context_window: 1.5 },
      ["model_context_window"],
      "a whole number of at least 1",
      "1.5",
    ],
    [
      { mcp_oauth_callback_port: 70_000 },
      ["mcp_oauth_callback_port"],
      "a whole number from 0 to 65535",
      "70000",
    ],
  ])("%j is reported at %j", (values, path, expected, got) => {
    expect(check(values)).toEqual({
      problems: [{ path, expected, got, allowed: undefined }],
      unknown: [],
      refused: [],
      ignored: [],
    });
  });

  test("a value outside of an enum is reported with the allowed values", () => {
    const { problems } = check({ sandbox_mode: "ro" });

    expect(problems).toEqual([
      {
        path: ["sandbox_mode"],
        expected: "one of read-only, workspace-write, danger-full-access",
        got: '"ro"',
        allowed: ["read-only", "workspace-write", "danger-full-access"],
      },
    ]);
  });

  test("a long value is shortened", () => {
    const [problem] = check({ sandbox_mode: "x".repeat(100) }).problems;

    expect(problem?.got).toBe(`"${"x".repeat(60)}…"`);
  });

  test("all problems of a file are reported at once", () => {
    const { problems } = check({ model: 1, notify: [1, "a", 2], tui: { theme: 3 } });

    expect(problems.map(({ path }) => path.join("."))).toEqual([
      "model",
      "notify.0",
      "notify.2",
      "tui.theme",
    ]);
  });
});

describe("unknown keys", () => {
  test.each([
    [{ modle: "x" }, [["modle"]]],
    [{ tui: { them: "x" } }, [["tui", "them"]]],
    [{ mcp_servers: { a: { comand: "x" } } }, [["mcp_servers", "a", "comand"]]],
    [{ profiles: { p: { modle: "x" } } }, [["profiles", "p", "modle"]]],
    [{ __proto__x: 1, constructor: 2 }, [["__proto__x"], ["constructor"]]],
  ])("of %j are listed", (values, unknown) => {
    expect(check(values)).toEqual({ problems: [], unknown, refused: [], ignored: [] });
  });

  test("of tables with arbitrary or open keys are none", () => {
    const values = {
      model_providers: { "any name": { name: "x" } },
      projects: { "/a/b": { trust_level: "trusted" } },
      notice: { whatever: true },
      hooks: { state: { "/home/hooks.json:stop:0:0": { trusted_hash: "sha256:1" } } },
    };

    expect(check(values)).toEqual({ problems: [], unknown: [], refused: [], ignored: [] });
  });
});

describe("keys without effect", () => {
  test.each([
    [{ memories: { limit: "x" } }, [["memories"]]],
    [{ file_opener: "cursor" }, [["file_opener"]]],
    [{ service_tier: "fast" }, [["service_tier"]]],
    [{ features: { apps: true } }, [["features", "apps"]]],
    [{ tui: { alternate_screen: "always" } }, [["tui", "alternate_screen"]]],
  ])("of %j are reported", (values, ignored) => {
    expect(check(values).ignored).toEqual(ignored);
  });

  test.each([
    [{ memories: {} }],
    [{ file_opener: "none" }],
    [{ service_tier: "auto" }],
    [{ features: { apps: false } }],
    [{ tui: { alternate_screen: "auto" } }],
    [{ plugins: { a: { enabled: false } } }],
    [{ desktop: { anything: 1 } }],
    [{ notice: { hide_full_access_warning: true } }],
    [{ ghost_snapshot: { disable_warnings: true } }],
  ])("of %j are not: they disable something, or match what happens", (values) => {
    expect(check(values).ignored).toEqual([]);
  });

  test("still must have the right type", () => {
    expect(check({ agents: { max_threads: "many" } }).problems).toMatchObject([
      { path: ["agents", "max_threads"] },
    ]);
  });
});
