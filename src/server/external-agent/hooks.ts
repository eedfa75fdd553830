import { join } from "node:path";
import { compileMatcher, hookEvents, isHookEvent } from "../../hooks/index.js";
import { isRecord } from "../../protocol/read/check.js";
import { readJsonObject } from "./claude-files.js";
import { claudeFolder, rootOf } from "./documents.js";
import { Draft, type ImportPlaces, type PlannedItem } from "./plan.js";

/** Plans the import of hooks. They do not run until the user trusts each one. */
export function planHooks(places: ImportPlaces): PlannedItem | undefined {
  const target = places.cwd === undefined ? places.home : join(places.cwd, ".codex");
  const path = join(target, "hooks.json");
  const source = join(claudeFolder(places), "settings.json");
  const draft = new Draft(places);
  const given = readJsonObject(source, rootOf(places))?.hooks;
  const hooks: Record<string, Group[]> = {};
  for (const [event, groups] of Object.entries(isRecord(given) ? given : {})) {
    if (!isHookEvent(event)) {
      draft.skip(event, "there is no such event");
      continue;
    }
    const converted = (Array.isArray(groups) ? groups : []).flatMap((group) =>
      toGroup(event, group, draft),
    );
    if (converted.length > 0) hooks[event] = converted;
  }
  if (Object.keys(hooks).length > 0) {
    const text = `${JSON.stringify({ hooks }, undefined, 2)}\n`;
    draft.add(Object.keys(hooks).join(", "), { source, path, text });
  }
  return draft.item("HOOKS", `Hooks of ${source}; /hooks lets you trust them`);
}

interface Group {
  matcher?: string;
  hooks: { type: "command"; command: string; timeout?: number }[];
}

function toGroup(event: string, group: unknown, draft: Draft): Group[] {
  if (!isRecord(group) || !Array.isArray(group.hooks)) return [];
  const { matcher } = group;
  try {
    compileMatcher(typeof matcher === "string" ? matcher : undefined);
  } catch {
    draft.skip(event, `the matcher ${matcher} is not a regular expression`);
    return [];
  }
  const hooks = group.hooks.flatMap((hook: unknown) => toHook(event, hook, draft));
  if (hooks.length === 0) return [];
  return [{ ...(typeof matcher === "string" && matcher !== "" ? { matcher } : {}), hooks }];
}

function toHook(event: string, hook: unknown, draft: Draft): Group["hooks"] {
  if (!isRecord(hook)) return [];
  const { type, command, timeout } = hook;
  if (type !== "command" || typeof command !== "string") {
    draft.skip(event, `hooks of the kind ${String(type)} cannot be imported`);
    return [];
  }
  if (command.includes("CLAUDE_")) {
    draft.skip(event, `\`${command}\` uses variables that are not set here`);
    return [];
  }
  const { most } = isHookEvent(event) ? hookEvents[event].timeout : { most: 0 };
  const isLimited = typeof timeout === "number" && timeout > 0;
  const seconds = isLimited ? { timeout: Math.min(most, Math.ceil(timeout)) } : {};
  return [{ type, command, ...seconds }];
}
