import { editUserConfig } from "../../../config/index.js";
import { isTrusted, type LoadedHook } from "../../../hooks/index.js";
import { nearest } from "../../../lib/nearest.js";
import { defineCommand } from "../../command.js";
import { exitCodes, UsageError } from "../../exit-codes.js";
import { visible } from "../../print.js";
import { folderOptions, handlerText, requireHooks } from "./read.js";

/** Trusts hooks as they are now. */
export const hooksTrust = defineCommand({
  name: "hooks trust",
  summary: "Trust hooks as they are now",
  operands: "KEY…",
  options: {
    all: { type: "boolean", help: "Trust all hooks of the directory" },
    ...folderOptions,
  },
  details:
    "Stores the hash of each hook in `hooks.state` of your config.toml. A hook that changes must be trusted again. Read the hooks first: `quire hooks list`.",
  async run({ values, positionals: keys }, io) {
    if (values.all === keys.length > 0) {
      throw new UsageError("Expected keys of hooks, or --all; `quire hooks list` lists the keys");
    }
    const { loaded, config } = await requireHooks(values, io);
    const chosen = values.all ? loaded.hooks : keys.map((key) => find(key, loaded.hooks));
    const hooks = chosen.filter((hook) => !isTrusted(hook));
    const edits = hooks.map(({ key, currentHash }) => ({
      path: ["hooks", "state", key, "trusted_hash"],
      value: currentHash,
    }));
    if (edits.length > 0) await editUserConfig(config.home, edits);
    const lines = hooks.map((hook) => `Trusted ${hook.key}: ${visible(handlerText(hook))}`);
    io.stdout.write(`${(lines.length === 0 ? ["Nothing to trust."] : lines).join("\n")}\n`);
    return exitCodes.ok;
  },
});

function find(key: string, hooks: readonly LoadedHook[]): LoadedHook {
  const found = hooks.find((hook) => hook.key === key);
  if (found !== undefined) return found;
  const near = nearest(
    key,
    hooks.map((hook) => hook.key),
  );
  const hint = near === undefined ? "`quire hooks list` lists the keys" : `did you mean ${near}?`;
  throw new UsageError(`No hook ${key}: ${hint}`);
}
