import { statSync } from "node:fs";
import { resolve } from "node:path";
import { checkHooks, type LoadedHook, loadHooks } from "../../../hooks/index.js";
import type { CommandIo, Options } from "../../command.js";
import { UsageError } from "../../exit-codes.js";
import { type ConfigValues, configOptions } from "../../options/config-options.js";
import { loadUserConfig } from "../../user-config.js";

/** Options that decide which hooks there are. */
export const folderOptions = {
  cd: { type: "string", short: "C", value: "DIR", help: "Use the hooks of this directory" },
  ...configOptions,
} as const satisfies Options;

type FolderValues = ConfigValues & { cd?: string | undefined };
type Io = Pick<CommandIo, "env" | "cwd" | "stderr">;

/** Reads the hooks of a directory, with the problems of those that are not understood. */
export async function readHooks(values: FolderValues, io: Io) {
  const cwd = resolve(io.cwd, values.cd ?? ".");
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`Expected --cd to be a directory (got ${cwd})`);
  }
  const config = await loadUserConfig(values, { ...io, cwd });
  return { config, cwd, loaded: checkHooks(config.hooks, config.hook_states) };
}

/** Like `readHooks`; throws if a hook is not understood. */
export async function requireHooks(values: FolderValues, io: Io) {
  const read = await readHooks(values, io);
  return { ...read, loaded: loadHooks(read.config.hooks, read.config.hook_states) };
}

/** Describes what a hook runs. */
export function handlerText({ handler }: LoadedHook): string {
  if (handler.type === "command") return handler.command;
  if (handler.type === "http") return `POST ${handler.url}`;
  return `MCP tool ${handler.tool} of ${handler.server}`;
}

/** Describes whether a hook may run. */
export function stateText({ isEnabled, trustStatus }: LoadedHook): string {
  return isEnabled ? trustStatus : "disabled";
}
