import { joinWords, readSystemShellScript } from "../../shell/index.js";

/** Arguments of a tool call. */
export type Values = Record<string, unknown>;

/** How the arguments of a tool hold its command. */
export interface CommandForm {
  field: string;
  /** Returns the command line for hooks; undefined if there is none. */
  read(values: Values): string | undefined;
  write(command: string): unknown;
  isPatch?: boolean;
}

/** A script; one for a program that is not a usual shell is shown with that program. */
const script = (field: string): CommandForm => ({
  field,
  read({ [field]: value, shell }) {
    if (typeof value !== "string") return undefined;
    return typeof shell === "string" ? toCommand([shell, "-lc", value]) : value;
  },
  write: (command) => command,
});

/** Words of a program and its variables. */
const words = (field: string): CommandForm => ({
  field,
  read({ [field]: value, env }) {
    if (!isWords(value)) return undefined;
    const variables = isObject(env) ? Object.entries(env).map((pair) => pair.join("=")) : [];
    return toCommand(variables.length === 0 ? value : ["env", ...variables, ...value]);
  },
  write: (command) => ["bash", "-lc", command],
});

/** Returns the script of a shell, or the words as a shell would read them. */
function toCommand(argv: readonly string[]): string {
  return readSystemShellScript(argv)?.script ?? joinWords(argv);
}

/** A patch in the field `input`. */
export const patch: CommandForm = { ...script("input"), isPatch: true };

/** Tools that run commands or patches, by name. */
export const forms: Readonly<Record<string, CommandForm>> = {
  "function exec_command": script("cmd"),
  "function shell_command": script("command"),
  "function shell": words("command"),
  "function container.exec": words("command"),
  "local_shell local_shell": words("command"),
  "function unified_exec": words("input"),
  "function apply_patch": patch,
};

/** Returns true for a list of strings. */
export function isWords(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((word) => typeof word === "string");
}

/** Returns true for a JSON object. */
export function isObject(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
