import type { CommandIo } from "../command.js";
import { type Finding, ok, warning } from "./check.js";

/** What the terminal can show. */
export function checkTerminal({ stdout, env }: Pick<CommandIo, "stdout" | "env">): Finding {
  if (!stdout.isTTY) return ok("none: output goes to a file or another program");
  const name = env.TERM ?? "";
  if (name === "" || name === "dumb") {
    return warning(`TERM is ${name || "not set"}`, "Set TERM, such as TERM=xterm-256color");
  }
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || "";
  if (process.platform !== "win32" && !/utf-?8/i.test(locale)) {
    return warning(`${name}, but the locale is not UTF-8`, "Set LANG, such as LANG=C.UTF-8");
  }
  const colours = env.NO_COLOR ? "no colours (NO_COLOR)" : `${2 ** stdout.getColorDepth()} colours`;
  const size = `${stdout.columns}×${stdout.rows}`;
  if (stdout.columns > 0 && (stdout.columns < 40 || stdout.rows < 10)) {
    return warning(`${name}, ${size}`, "Make the window larger: 80×24 or more");
  }
  return ok(`${name}, ${size}, ${colours}`);
}
