import type { Options } from "../command.js";
import { configOptions } from "../options/config-options.js";

/** Options of `policy explain` for files and hosts. */
export const accessOptions = {
  read: { type: "string", value: "PATH", help: "Explain whether commands can read a file" },
  write: { type: "string", value: "PATH", help: "Explain whether commands can write a file" },
  connect: {
    type: "string",
    value: "HOST[:PORT]",
    help: "Explain whether commands can connect to a host",
  },
  permissions: {
    type: "string",
    short: "P",
    value: "NAME",
    help: "Permission profile, for files and hosts",
  },
  cd: {
    type: "string",
    short: "C",
    value: "DIR",
    help: "Working directory, for files and hosts",
  },
  config: configOptions.config,
} as const satisfies Options;

/** Returns true if arguments are about a file or host, not about a command. */
export function asksForAccess(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  const own = end === -1 ? args : args.slice(0, end);
  return own.some((arg) => /^--(read|write|connect)(=|$)/.test(arg));
}
