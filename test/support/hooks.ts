import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkHooks } from "../../src/hooks/index.js";

/** Groups of hooks by event, as in `hooks.json`. */
export type HookTable = Record<string, readonly { matcher?: string; hooks: readonly object[] }[]>;

/** One command for an event. */
export function command(event: string, script: string, matcher?: string): HookTable {
  const group = { hooks: [{ type: "command", command: script }] };
  return { [event]: [matcher === undefined ? group : { matcher, ...group }] };
}

/** Writes `hooks.json` of a home; returns the TOML that trusts all of it. */
export async function writeHooks(home: string, hooks: HookTable): Promise<string> {
  const path = join(home, "hooks.json");
  const content = { hooks };
  await writeFile(path, JSON.stringify(content));
  const source = {
    kind: "user",
    path,
    isManaged: false,
    content,
    lineOf: () => undefined,
  } as const;
  return checkHooks([source], {})
    .hooks.map(
      ({ key, currentHash }) => `[hooks.state."${key}"]\ntrusted_hash = "${currentHash}"\n`,
    )
    .join("");
}

/** Writes `hooks.json` and trusts all of it in the `config.toml` of the home. */
export async function trustHooks(home: string, hooks: HookTable): Promise<void> {
  const trust = await writeHooks(home, hooks);
  await writeFile(join(home, "config.toml"), `\n${trust}`, { flag: "a" });
}
