import { programName } from "../../lib/program-name.js";

/** Parsed command line. */
export interface SandboxRequest {
  /** Write to the workspace, whatever the configuration says. */
  fullAuto: boolean;
  /** Settings in the form `key=value`. */
  overrides: string[];
  argv: string[];
  /** The folder to run in, as it was typed. */
  cd?: string;
}

/** Usage line. */
export const sandboxUsage = () => `${programName()} sandbox [--full-auto] [-c KEY=VALUE]… -- CMD…`;

/** Parses the command line; returns an error message if it is wrong. */
export function parseSandboxArguments(args: readonly string[]): SandboxRequest | string {
  const request: SandboxRequest = { fullAuto: false, overrides: [], argv: [] };
  const start = namesPlatform(args) ? 1 : 0;
  for (let index = start; index < args.length; index++) {
    const word = args[index] ?? "";
    if (word === "--full-auto") {
      request.fullAuto = true;
    } else if (word === "-c" || word === "--config") {
      const setting = args[++index];
      if (setting === undefined || !setting.includes("=")) return `Expected ${word} KEY=VALUE`;
      request.overrides.push(setting);
    } else if (word.startsWith("--config=")) {
      request.overrides.push(word.slice("--config=".length));
    } else if (valueOption.test(word)) {
      const at = word.startsWith("--") ? word.indexOf("=") : -1;
      const value = at === -1 ? args[++index] : word.slice(at + 1);
      if (value === undefined || value === "") return `Missing value for ${word}`;
      if (/^(-C|--cd)/.test(word)) request.cd = value;
      else if (/^(-p|--profile)/.test(word))
        request.overrides.push(`profile=${JSON.stringify(value)}`);
      else request.overrides.push(`default_permissions=${JSON.stringify(value)}`);
    } else if (word.startsWith("-") && word !== "--") {
      return `Unknown option ${word}; put options of the command after --`;
    } else {
      // The first word that is no option starts the command, with or without `--` before it.
      request.argv = args.slice(word === "--" ? index + 1 : index);
      break;
    }
  }
  return request.argv.length === 0 ? "Missing command to run" : request;
}

/** Options with a value; `--permission-profile` and `--permissions` are the same. */
const valueOption =
  /^(-C|--cd|-p|--profile|-P|--permission-profile|--permissions-profile|--permissions)$|^--(cd|profile|permission-profile|permissions-profile|permissions)=/;

/** Older versions take the platform first: `sandbox linux -- CMD`, `debug landlock CMD`. */
function namesPlatform([first = "", ...rest]: readonly string[]): boolean {
  return rest.length > 0 && ["linux", "landlock", "macos", "seatbelt"].includes(first);
}
