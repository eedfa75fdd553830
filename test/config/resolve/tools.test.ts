import { describe, expect, test } from "vitest";
import { createTestHome } from "../support/home.js";

describe("web search", () => {
  test.each([
    ["", undefined],
    ['web_search = "cached"', "cached"],
    ["[tools]\nweb_search = true", "live"],
    ["[tools]\nweb_search = false", "disabled"],
    ["[tools]\nweb_search = {}", undefined],
    ["[features]\nweb_search_request = true", "live"],
    ["[features]\nweb_search_cached = true", "cached"],
    ['web_search = "disabled"\n[features]\nweb_search_cached = true', "disabled"],
    ["[features]\nweb_search_request = false\n[tools]\nweb_search = true", "disabled"],
  ])("with %j is %s", async (text, mode) => {
    await using machine = await createTestHome({ "home/config.toml": text });

    expect((await machine.load()).web_search).toBe(mode);
  });
});

describe("tools", () => {
  test.each([
    ["", { view_image: true, exec_command: false, web_search: false }],
    ["[tools]\nview_image = false", { view_image: false }],
    ["[features]\nview_image_tool = false", { view_image: false }],
    ["[features]\nview_image_tool = false\n[tools]\nview_image = true", { view_image: true }],
    ["experimental_use_exec_command_tool = true", { exec_command: true }],
  ])("with %j are %j", async (text, tools) => {
    await using machine = await createTestHome({ "home/config.toml": text });

    expect((await machine.load()).tools).toMatchObject(tools);
  });

  test("of the plan and of patches are undefined or off by default", async () => {
    await using machine = await createTestHome();
    const before = await machine.load();
    await machine.write(
      "home/config.toml",
      "[features]\napply_patch_freeform = true\n[tools.update_plan]\nenabled = false\n",
    );
    const after = await machine.load();

    expect([before.include_plan_tool, before.include_apply_patch_tool]).toEqual([undefined, false]);
    expect([after.include_plan_tool, after.include_apply_patch_tool]).toEqual([false, true]);
  });
});

describe("other limits", () => {
  test("of skills are by path and by name", async () => {
    await using machine = await createTestHome({
      "home/config.toml":
        '[[skills.config]]\npath = "s/SKILL.md"\nenabled = false\n[[skills.config]]\nname = "n"\n',
    });
    const { skills, skills_by_name } = await machine.load();

    expect([...skills]).toEqual([[machine.path("home/s/SKILL.md"), false]]);
    expect([...skills_by_name]).toEqual([["n", true]]);
  });

  test("of checkpoints: 0 is no limit", async () => {
    await using machine = await createTestHome({
      "home/config.toml":
        "[features]\nundo = true\n[checkpoints]\nmax_mb = 2\n" +
        "[ghost_snapshot]\nignore_large_untracked_files = 0\nignore_large_untracked_dirs = 9\n",
    });

    expect((await machine.load()).checkpoints).toEqual({
      enabled: true,
      maxBytes: 2 * 1024 * 1024,
      maxFileBytes: undefined,
      maxFolderFiles: 9,
      isQuiet: false,
    });
  });

  test("of project docs are file names, not paths", async () => {
    await using machine = await createTestHome({
      "home/config.toml":
        'project_doc_fallback_filenames = [" CLAUDE.md ", "../x", "a/b", "..", ""]\n',
    });
    const config = await machine.load();

    expect(config.project_doc_fallback_filenames).toEqual(["CLAUDE.md"]);
    expect(config.warnings).toEqual(
      ["../x", "a/b", ".."].map(
        (path) =>
          `${machine.path("home/config.toml")}:1: \`${path}\` in project_doc_fallback_filenames is not a file name`,
      ),
    );
  });

  test("of a broken server name the file and the line", async () => {
    await using machine = await createTestHome({
      "home/config.toml": '\n[mcp_servers.web]\nurl = "http://x"\nargs = []\n',
    });

    await expect(machine.load()).rejects.toMatchObject({
      message: `${machine.path("home/config.toml")}:2: mcp_servers.web: args is not supported for streamable_http`,
      data: { reason: "mcp_server", server: "web" },
    });
  });
});
