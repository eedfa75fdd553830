import { describe, expect, test } from "vitest";
import { createTestHome, trusts } from "../support/home.js";

describe("a profile", () => {
  const files = {
    "home/config.toml":
      'model = "base"\n[profiles.fast]\nmodel = "table"\nmodel_verbosity = "low"\n[profiles.other]\n',
  };

  test.each([
    [{}, undefined, "base"],
    [{ profile: "fast" }, "fast", "table"],
    [{ profile: "other" }, "other", "base"],
  ])("is selected by %j", async (overrides, profile, model) => {
    await using machine = await createTestHome(files);

    expect(await machine.load({ overrides })).toMatchObject({ profile, model });
  });

  test("may be a file without a table", async () => {
    await using machine = await createTestHome({ "home/solo.config.toml": 'model = "file"\n' });
    const config = await machine.load({ overrides: { profile: "solo" } });

    expect(config).toMatchObject({ profile: "solo", model: "file", warnings: [] });
  });

  test("in a file overrides the table of its name, key by key", async () => {
    await using machine = await createTestHome({
      ...files,
      "home/fast.config.toml": 'model = "file"\n',
    });
    const config = await machine.load({ overrides: { profile: "fast" } });

    expect(config).toMatchObject({ model: "file", model_verbosity: "low" });
  });

  test("that does not exist is an error with the known ones", async () => {
    await using machine = await createTestHome(files);

    await expect(machine.load({ overrides: { profile: "none" } })).rejects.toMatchObject({
      code: "config",
      message: "config profile `none` not found; there are fast, other",
      data: { reason: "profile", profile: "none" },
    });
  });

  test.each(["../evil", "a/b", "..", "", " "])(
    "named %j cannot lead out of the home directory",
    async (profile) => {
      await using machine = await createTestHome({
        ...files,
        "evil.config.toml": 'model = "evil"\n',
      });
      const loaded = await machine.load({ overrides: { profile } }).catch((error) => error);

      expect(JSON.stringify(loaded)).not.toContain('"evil"');
    },
  );

  test("of a file with unknown keys reports them", async () => {
    await using machine = await createTestHome({
      "home/solo.config.toml": 'modle = "x"\n',
    });
    const { ignored } = await machine.load({ overrides: { profile: "solo" } });

    expect(ignored).toEqual([
      `${machine.path("home/solo.config.toml")}:1: unknown key \`modle\`; did you mean \`model\`?`,
    ]);
  });

  test("is not for a project to select", async () => {
    await using machine = await createTestHome();
    await machine.write(
      "home/config.toml",
      `${files["home/config.toml"]}${trusts(machine.path("work"))}`,
    );
    await machine.write("work/.codex/config.toml", 'profile = "fast"\n');
    const config = await machine.load();

    expect(config).toMatchObject({ profile: undefined, model: "base" });
    expect(config.warnings).toEqual([expect.stringContaining("`profile`")]);
  });
});
