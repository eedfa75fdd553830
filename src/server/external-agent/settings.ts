import { join } from "node:path";
import { isRecord } from "../../protocol/read/check.js";
import { readJsonObject } from "./claude-files.js";
import { claudeFolder, rootOf } from "./documents.js";
import { Draft, type ImportPlaces, type PlannedItem } from "./plan.js";

/** Plans the import of settings: rules for commands, and variables for the commands of the agent. */
export function planSettings(
  places: ImportPlaces,
  known: ReadonlySet<string>,
): PlannedItem | undefined {
  const source = join(claudeFolder(places), "settings.json");
  const settings = readJsonObject(source, rootOf(places));
  if (settings === undefined) return undefined;
  const draft = new Draft(places);
  planRules(settings.permissions, source, places, draft);
  planVariables(settings.env, known, { source, ...places }, draft);
  if (typeof settings.model === "string") {
    draft.skip("model", `${settings.model} is a model of another vendor; choose one with /model`);
  }
  return draft.item("CONFIG", `Settings of ${source}`);
}

const decisions = { deny: "forbidden", ask: "prompt", allow: "allow" } as const;

function planRules(permissions: unknown, source: string, places: ImportPlaces, draft: Draft): void {
  if (!isRecord(permissions)) return;
  const rules: string[] = [];
  for (const [name, decision] of Object.entries(decisions)) {
    const patterns = permissions[name];
    for (const pattern of Array.isArray(patterns) ? patterns.map(String) : []) {
      const words = prefixOf(pattern);
      if (words === undefined)
        draft.skip(`${name} ${pattern}`, "rules are for the first words of a command");
      else rules.push(`prefix_rule(pattern = ${JSON.stringify(words)}, decision = "${decision}")`);
    }
  }
  if (typeof permissions.defaultMode === "string" && permissions.defaultMode !== "default") {
    draft.skip(`mode ${permissions.defaultMode}`, "choose what is allowed with /permissions");
  }
  if (rules.length === 0) return;
  const folder = places.cwd === undefined ? places.home : join(places.cwd, ".codex");
  const path = join(folder, "rules", "claude-code.rules");
  draft.add(rules.length === 1 ? "1 rule" : `${rules.length} rules`, {
    source,
    path,
    text: `${rules.join("\n")}\n`,
  });
}

/** Returns the words of `Bash(npm run test:*)`; undefined if it is not a prefix of plain words. */
function prefixOf(pattern: string): string[] | undefined {
  const command = /^Bash\((.+?)(?::\*|\s\*)?\)$/.exec(pattern)?.[1];
  if (command === undefined || /[^\w\s./:=@+-]/.test(command)) return undefined;
  return command.trim().split(/\s+/);
}

function planVariables(
  env: unknown,
  known: ReadonlySet<string>,
  { source, home, cwd }: ImportPlaces & { source: string },
  draft: Draft,
): void {
  for (const [name, value] of Object.entries(isRecord(env) ? env : {})) {
    const label = `env ${name}`;
    if (cwd !== undefined) draft.skip(label, "a project cannot set variables");
    else if (/^(?:CLAUDE_|ANTHROPIC_)/.test(name)) draft.skip(label, "it is for Claude Code");
    else if (known.has(name)) draft.skip(label, "it is set already");
    else {
      draft.names.push(label);
      const path = ["shell_environment_policy", "set", name];
      const edits = [{ path, value: String(value) }];
      draft.writes.push({ source, path: join(home, "config.toml"), edits });
    }
  }
}
