import { afterEach, expect, test } from "vitest";
import { programName, setProgramName, withProgramName } from "../../src/lib/program-name.js";

afterEach(() => setProgramName("quire"));

test("texts name the command that the user typed", () => {
  const help = "Run `quire exec`, or _quire_; see quire.toml, /opt/quire and quire-agent.";
  expect(withProgramName(help)).toBe(help);

  setProgramName("codex");

  expect(programName()).toBe("codex");
  expect(withProgramName(help)).toBe(
    "Run `codex exec`, or _codex_; see quire.toml, /opt/quire and quire-agent.",
  );
});
