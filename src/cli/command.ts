import type { ParseArgsConfig } from "node:util";

/** One option of a command; its name is the key it stands under. */
export interface Option {
  type: "string" | "boolean";
  short?: string;
  multiple?: boolean;
  default?: string | boolean;
  /** What the value is, in the help: `--port N`. */
  value?: string;
  help: string;
}

/** The values of the options that were given, by their names. */
export type Values<Options extends Record<string, Option>> = {
  [Name in keyof Options]: Options[Name] extends { multiple: true }
    ? string[] | undefined
    : Options[Name] extends { type: "boolean" }
      ? boolean
      : Options[Name] extends { default: string }
        ? string
        : string | undefined;
};

/** What a command has of the world. */
export interface CommandIo {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Aborted when the user or the system asks the program to end. */
  signal: AbortSignal;
}

/** What was typed, taken apart. */
export interface CommandInput<Options extends Record<string, Option>> {
  values: Values<Options>;
  positionals: string[];
}

/** A command of the program: help, checks and completion all come from this. */
export interface Command<Options extends Record<string, Option> = Record<string, Option>> {
  name: string;
  summary: string;
  /** What follows the name, besides options: `SCRIPT.json`, `-- CMD…`. */
  operands?: string;
  options: Options;
  /** The command reads what follows its name itself: it stands whole in `positionals`. */
  raw?: true;
  /** More for the help, below the options. */
  details?: string;
  /** Resolves with the exit code. */
  run(input: CommandInput<Options>, io: CommandIo): Promise<number>;
}

/** Declares a command. */
export function defineCommand<const Options extends Record<string, Option>>(
  command: Command<Options>,
): Command {
  return command as unknown as Command;
}

/** The options in the form that Node's parser takes. */
export function toParseArgs(command: Command): NonNullable<ParseArgsConfig["options"]> {
  const entries = Object.entries(command.options).map(([name, option]) => {
    const { type, short, multiple, default: fallback } = option;
    const value = fallback ?? (type === "boolean" ? false : undefined);
    return [
      name,
      {
        type,
        ...(short === undefined ? {} : { short }),
        ...(multiple === undefined ? {} : { multiple }),
        ...(value === undefined || multiple ? {} : { default: value }),
      },
    ] as const;
  });
  return { ...Object.fromEntries(entries), help: { type: "boolean", short: "h", default: false } };
}
