import { describe, expect, test } from "vitest";
import {
  cleanUserAgent,
  originatorOf,
  parseOsRelease,
  readSystemInfo,
  terminalName,
  userAgent,
} from "../../src/model/user-agent.js";

const system = { name: "Debian", version: "12.0.0", arch: "x86_64" };

describe("the user agent", () => {
  test("names the originator, the system and the terminal", () => {
    const parts = { originator: "codex_cli_rs", version: "0.42.0", system, env: { TERM: "xterm" } };

    expect(userAgent(parts)).toBe("codex_cli_rs/0.42.0 (Debian 12.0.0; x86_64) xterm");
    expect(userAgent({ ...parts, client: { name: "rec-client", version: "1.0.0" } })).toBe(
      "codex_cli_rs/0.42.0 (Debian 12.0.0; x86_64) xterm (rec-client; 1.0.0)",
    );
  });

  test.each(["bad\rsuffix", "bad\0suffix", "bad€suffix", "bad😀suffix"])(
    "replaces what a header cannot hold: %j",
    (suffix) => {
      expect(cleanUserAgent(`codex_cli_rs/0.0.0 (${suffix})`)).toBe(
        "codex_cli_rs/0.0.0 (bad_suffix)",
      );
    },
  );

  test("fits this machine", async () => {
    const line = userAgent({
      originator: "codex_cli_rs",
      version: "0.42.0",
      system: await readSystemInfo(),
      env: {},
    });

    expect(line).toMatch(/^codex_cli_rs\/0\.42\.0 \(.+ .+; .+\) unknown$/);
  });
});

test.each([
  [{ TERM_PROGRAM: "iTerm.app", TERM_PROGRAM_VERSION: "3.5" }, "iTerm.app/3.5"],
  [{ TERM_PROGRAM: "Apple Terminal" }, "Apple_Terminal"],
  [{ TERM_PROGRAM: " ", WEZTERM_VERSION: "2024" }, "WezTerm/2024"],
  [{ WEZTERM_VERSION: "" }, "WezTerm"],
  [{ TERM: "xterm-kitty" }, "kitty"],
  [{ ALACRITTY_SOCKET: "/x" }, "Alacritty"],
  [{ KONSOLE_VERSION: "230800" }, "Konsole/230800"],
  [{ GNOME_TERMINAL_SCREEN: "/org" }, "gnome-terminal"],
  [{ VTE_VERSION: "7003" }, "VTE/7003"],
  [{ WT_SESSION: "1" }, "WindowsTerminal"],
  [{ TERM: "dumb" }, "dumb"],
  [{}, "unknown"],
])("the terminal of %j is %s", (env, expected) => {
  expect(terminalName(env)).toBe(expected);
});

test("the originator can be set by the environment, if a header can hold it", () => {
  expect(originatorOf({})).toBe("codex_cli_rs");
  expect(originatorOf({ CODEX_INTERNAL_ORIGINATOR_OVERRIDE: "mine" })).toBe("mine");
  expect(originatorOf({ CODEX_INTERNAL_ORIGINATOR_OVERRIDE: "a\nb" })).toBe("codex_cli_rs");
});

test.each([
  ['ID=debian\nNAME="Debian GNU/Linux"\nVERSION_ID="12"\n', "Debian", "12.0.0"],
  ['NAME="Ubuntu"\nID=ubuntu\nVERSION_ID="22.04"', "Ubuntu", "22.4.0"],
  ["ID=nixos\nNAME=NixOS\n", "NixOS", "unknown"],
  ["", "Linux", "unknown"],
])("an os-release file %j names %s %s", (text, name, version) => {
  expect(parseOsRelease(text)).toEqual({ name, version });
});
