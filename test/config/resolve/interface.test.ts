import { describe, expect, test } from "vitest";
import { configBehaviors } from "../../../src/config/index.js";
import { createTestHome } from "../support/home.js";

describe("the user interface", () => {
  test("has defaults", async () => {
    await using machine = await createTestHome();

    expect(await machine.load()).toMatchObject({
      hide_agent_reasoning: false,
      show_raw_agent_reasoning: false,
      file_opener: "vscode",
      notify: undefined,
      disable_paste_burst: false,
      history: { persistence: "save-all", max_bytes: undefined },
      log_dir: machine.path("home/log"),
      forced_login_method: undefined,
      cli_auth_credentials_store: "file",
      tui: {
        notifications: true,
        notification_method: "auto",
        animations: true,
        show_tooltips: true,
        alternate_screen: "auto",
        theme: undefined,
      },
    });
  });

  test.each([
    ["[tui]\nnotifications = false", { tui: { notifications: false } }],
    ['[tui]\nnotifications = ["turn"]', { tui: { notifications: ["turn"], animations: true } }],
    ['[tui]\ntheme = "dark"', { tui: { theme: "dark" } }],
    ['[history]\npersistence = "none"', { history: { persistence: "none" } }],
    ["[history]\nmax_bytes = 10", { history: { persistence: "save-all", max_bytes: 10 } }],
    ['notify = ["a", "b"]', { notify: ["a", "b"] }],
    ["hide_agent_reasoning = true", { hide_agent_reasoning: true }],
    ["[notice]\nhide_full_access_warning = true", { hide_full_access_warning: true }],
    ['forced_login_method = "api"', { forced_login_method: "api" }],
    ['cli_auth_credentials_store = "keyring"', { cli_auth_credentials_store: "keyring" }],
  ])("with %j is %j", async (text, part) => {
    await using machine = await createTestHome({ "home/config.toml": text });

    expect(await machine.load()).toMatchObject(part);
  });

  test.each([
    ["2025-09", false],
    ["2026-11", true],
    ["current", true],
  ] as const)("of %s notifies by default: %s", async (name, notifications) => {
    await using machine = await createTestHome();
    const { tui } = await machine.load({ behavior: configBehaviors[name] });

    expect(tui.notifications).toBe(notifications);
  });

  test("has its log directory relative to the file", async () => {
    await using machine = await createTestHome({ "home/config.toml": 'log_dir = "logs"\n' });

    expect((await machine.load()).log_dir).toBe(machine.path("home/logs"));
  });
});
