import { compileMatcher, isTrusted, type LoadedHook } from "../../../hooks/index.js";
import { defineCommand } from "../../command.js";
import { exitCodes, UsageError } from "../../exit-codes.js";
import { visible } from "../../print.js";
import { folderOptions, handlerText, requireHooks } from "./read.js";
import { namesOfTool } from "./sample.js";

/** Explains which hooks run for a tool. */
export const hooksExplain = defineCommand({
  name: "hooks explain",
  summary: "Explain which hooks run for a tool",
  mostOperands: 0,
  options: {
    tool: { type: "string", value: "NAME", help: "Tool: Bash, apply_patch, mcp__SERVER__TOOL…" },
    ...folderOptions,
  },
  details:
    "Prints every hook of PreToolUse, PermissionRequest and PostToolUse and why it runs or not. Nothing is run.",
  async run({ values }, io) {
    const { tool } = values;
    if (tool === undefined) throw new UsageError("Missing --tool NAME, such as --tool Bash");
    const { loaded } = await requireHooks(values, io);
    const names = namesOfTool(tool);
    const hooks = loaded.hooks.filter(({ event }) => toolEvents.has(event));
    const lines = [
      `Matchers are compared with ${names.map((name) => `"${visible(name)}"`).join(", ")}.`,
      ...hooks.flatMap((hook) => explain(hook, names)),
      ...(hooks.length === 0 ? ["No hook follows tool calls."] : []),
    ];
    io.stdout.write(`${lines.join("\n")}\n`);
    return exitCodes.ok;
  },
});

const toolEvents: ReadonlySet<string> = new Set(["PreToolUse", "PermissionRequest", "PostToolUse"]);

function explain(hook: LoadedHook, names: readonly string[]): string[] {
  const [runs, why] = verdict(hook, names);
  return [
    "",
    `${runs ? "runs" : "skipped"}  ${hook.event}  ${visible(handlerText(hook))}`,
    `  ${hook.key}`,
    `  ${why}`,
  ];
}

function verdict(hook: LoadedHook, names: readonly string[]): [boolean, string] {
  const { matcher, key } = hook;
  if (!compileMatcher(matcher)(names)) {
    const kind = /^[A-Za-z0-9_|]*$/.test(matcher ?? "")
      ? "a list of whole names"
      : "a regular expression";
    return [false, `Its matcher ${JSON.stringify(matcher)}, ${kind}, does not match.`];
  }
  if (!hook.isEnabled) return [false, `It is disabled in \`hooks.state\` of your config.toml.`];
  if (!isTrusted(hook)) {
    const what =
      hook.trustStatus === "modified" ? "has changed since you trusted it" : "is not trusted";
    return [false, `It ${what}: \`quire hooks trust '${key}'\` trusts it as it is now.`];
  }
  const why = hook.trustStatus === "managed" ? "The administrator set it" : "You trust it";
  const match = matcher === undefined ? "it matches everything" : "its matcher matches";
  return [true, `${why}, and ${match}.`];
}
