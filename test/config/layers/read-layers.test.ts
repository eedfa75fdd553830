import { describe, expect, test } from "vitest";
import { readConfigLayers, shownLayers } from "../../../src/config/index.js";
import { createTestHome, trusts } from "../support/home.js";

describe("layers", () => {
  test("are read in ascending precedence", async () => {
    await using machine = await createTestHome({
      "etc/config.toml": 'model = "system"\n',
      "etc/managed_config.toml": 'model = "managed"\n',
      "work/.codex/config.toml": 'model = "project"\n',
    });
    await machine.write("home/config.toml", `model = "user"\n${trusts(machine.path("work"))}`);
    const { layers, trust } = await readConfigLayers({
      ...machine.sources,
      flags: [{ path: ["model"], value: "flag" }],
      overrides: { "tui.theme": "t" },
    });

    expect(trust).toBe("trusted");
    expect(layers.map(({ source, values }) => [source.type, values.model])).toEqual([
      ["system", "system"],
      ["user", "user"],
      ["project", "project"],
      ["sessionFlags", "flag"],
      ["legacyManagedConfigTomlFromFile", "managed"],
    ]);
    expect(layers[3]?.values).toMatchObject({ tui: { theme: "t" } });
  });

  test("of missing files are empty, and flags without values are no layer", async () => {
    await using machine = await createTestHome();
    const { layers, ignored, warnings } = await readConfigLayers(machine.sources);

    expect(layers.map(({ source, values }) => [source.type, { ...values }])).toEqual([
      ["system", {}],
      ["user", {}],
    ]);
    expect([ignored, warnings]).toEqual([[], []]);
  });

  test("of a project are read from its root down", async () => {
    await using machine = await createTestHome({
      "work/.git/HEAD": "",
      "work/.codex/config.toml": 'model = "root"\nmodel_verbosity = "low"\n',
      "work/sub/.codex/config.toml": 'model = "sub"\n',
    });
    await machine.write("home/config.toml", trusts(machine.path("work")));
    const config = await machine.load({ cwd: machine.path("work/sub") });

    expect(config).toMatchObject({ model: "sub", model_verbosity: "low" });
  });

  test.each([
    [undefined, "is not a trusted project, so its config is not read; set its trust_level in"],
    ["untrusted", "is marked untrusted in"],
  ])("of a project with trust level %s are disabled with the reason", async (level, reason) => {
    await using machine = await createTestHome({ "work/.codex/config.toml": "broken = [" });
    if (level !== undefined) {
      await machine.write("home/config.toml", trusts(machine.path("work"), level));
    }
    const { layers } = await readConfigLayers(machine.sources);

    expect(layers.at(-1)).toMatchObject({
      source: { type: "project", dotCodexFolder: machine.path("work/.codex") },
      disabledReason: expect.stringContaining(reason),
    });
    expect(Object.keys(layers.at(-1)?.values ?? {})).toEqual([]);
  });

  test("can be read without a directory, without files, and without the user's file", async () => {
    await using machine = await createTestHome({
      "etc/config.toml": 'model = "system"\n',
      "home/config.toml": "model = 1\n",
    });
    const { env, systemFolder } = machine.sources;
    const where = { env, ...(systemFolder === undefined ? {} : { systemFolder }) };
    const without = await readConfigLayers({ ...where, ignoreUserFile: true });
    const none = await machine.load({ ignoreFiles: true });

    await expect(readConfigLayers(where)).rejects.toThrow("`model` must be a string, not 1");
    expect(without.layers.map(({ values }) => values.model)).toContain("system");
    expect(none.model).toBe("gpt-6.1-sol");
  });

  test("are shown as in their files, of a project without refused keys", async () => {
    await using machine = await createTestHome({
      "work/.codex/config.toml": 'model = "m"\nmodel_provider = "evil"\n',
    });
    await machine.write(
      "home/config.toml",
      `experimental_use_unified_exec_tool = true\n${trusts(machine.path("work"))}`,
    );
    const read = await readConfigLayers(machine.sources);
    const shown = shownLayers(read, { cwd: machine.path("work"), userHome: machine.root } as never);
    const values = shown.map((layer) => JSON.parse(JSON.stringify(layer.values)));

    expect(values[1]).toMatchObject({ experimental_use_unified_exec_tool: true });
    expect(values.at(-1)).toEqual({ model: "m" });
  });
});
