/** Programs that run the code they are given. */
const interpreters =
  /^(?:(?:ba|z|da|k|c|tc|fi|a)?sh|python[\d.]*|pypy[\d.]*|node|nodejs|deno|bun|tsx|ts-node|perl|ruby|php|lua|luajit|tclsh|[gm]?awk|osascript|pwsh|powershell|cmd|Rscript|julia|java)$/i;
/** Programs that run the program they are given. */
const wrappers =
  /^(?:env|sudo|doas|su|xargs|nohup|nice|time|timeout|setsid|stdbuf|eval|exec|command|source|npx|bunx|pnpx|uvx|ssh|parallel|watch|busybox|find)$/i;

/**
 * Returns the prefix if it can be offered as a lasting rule.
 *
 * A script of several lines would match only itself; a wrapper, or an interpreter without a file, a
 * subcommand or a module, would match everything.
 */
export function lastingRule(
  prefix: readonly string[] | null | undefined,
): readonly string[] | undefined {
  if (!prefix || prefix.some((word) => /[\r\n]/.test(word))) return undefined;
  const [path, operand = "", name = ""] = prefix;
  if (path === undefined) return undefined;
  const program = path.replace(/^.*[\\/]/, "").replace(/\.exe$/i, "");
  if (wrappers.test(program)) return undefined;
  if (!interpreters.test(program)) return prefix;
  if (operand === "-m") return isName(name) ? prefix : undefined;
  return isName(operand) ? prefix : undefined;
}

function isName(word: string): boolean {
  return word !== "" && !word.startsWith("-");
}
