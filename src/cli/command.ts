/** One option of a command; the key in {@link Options} is its name. */
export interface Option {
  type: "string" | "boolean";
  short?: string;
  multiple?: boolean;
  default?: string | boolean;
  /** Placeholder of the value in the help: `--port N`. */
  value?: string;
  /** Form of a value that may be omitted; other words after the option are operands. */
  optionalValue?: RegExp;
  /** Allowed values; any other is rejected before the command runs. */
  choices?: readonly string[];
  /** The option that this is another name for, and that gets the value. Not in the help. */
  aliasOf?: string;
  /** Config key that the option sets, for options declared by a config key. */
  key?: string;
  /** The value is converted to a number. */
  number?: "integer" | "number";
  /** Section of the help; options without a group come first. */
  group?: OptionGroup;
  /** Not in the help: accepted for compatibility with Codex. */
  hidden?: true;
  /** Warning printed if the option is given, such as that it has no effect. */
  warning?: string;
  help: string;
}

/** Section of the help for options that are not among the most used. */
export type OptionGroup = "permissions" | "access" | "limits" | "settings";

/** Options of a command by name. */
export type Options = Readonly<Record<string, Option>>;

/** Parsed values of options by name. */
export type Values<Given extends Options> = {
  [Name in keyof Given]: Given[Name] extends { multiple: true }
    ? string[] | undefined
    : Given[Name] extends { type: "boolean" }
      ? boolean
      : Given[Name] extends { default: string }
        ? string
        : string | undefined;
};

/** Streams, environment and signal of a command. */
export interface CommandIo {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Aborted on SIGINT, SIGTERM and SIGHUP. */
  signal: AbortSignal;
  /** Cassette to record the traffic with the model to, as an absolute path. */
  record?: { file: string; redact: boolean };
}

/** Parsed command line of a command. */
export interface CommandInput<Given extends Options> {
  values: Values<Given>;
  positionals: string[];
}

/** A command that is not loaded yet. */
export interface CommandEntry {
  name: string;
  summary: string;
  /** Older or shorter names. */
  aliases?: readonly string[];
  /** Not in the help and in completions. */
  hidden?: true;
  load(): Promise<Command>;
}

/** A command of the program; help, checks, completion and docs are derived from it. */
export interface Command<Given extends Options = Options> {
  /** Name as typed: `exec`, `mcp add`; empty for the program itself. */
  name: string;
  summary: string;
  /** Operands in the usage line: `SCRIPT.json`, `-- CMD…`. */
  operands?: string;
  /** Maximum number of operands; default: no limit. */
  mostOperands?: number;
  /** Number of operands after which all arguments are operands, even those that start with `-`. */
  verbatimAfter?: number;
  options: Given;
  /** Subcommands. */
  verbs?: readonly CommandEntry[];
  /** The command parses its arguments itself: they are passed unparsed in `positionals`. */
  raw?: true;
  /** Text below the options in the help. */
  details?: string;
  /** Resolves with the exit code. */
  run(input: CommandInput<Given>, io: CommandIo): Promise<number>;
}

/** Declares a command. */
export function defineCommand<const Given extends Options>(command: Command<Given>): Command {
  return command as unknown as Command;
}
