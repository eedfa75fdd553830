/** One option of a command; its name is the key it stands under. */
export interface Option {
  type: "string" | "boolean";
  short?: string;
  multiple?: boolean;
  default?: string | boolean;
  /** What the value is, in the help: `--port N`. */
  value?: string;
  /** The values there are; any other is refused before the command runs. */
  choices?: readonly string[];
  /** Another spelling of this option, which gets the value instead; help leaves it out. */
  aliasOf?: string;
  /** Where help shows it; those without a group come first. */
  group?: OptionGroup;
  /** Help leaves it out: it is there for those who know it from elsewhere. */
  hidden?: true;
  help: string;
}

/** What an option is about, when it is not one of those that are used most. */
export type OptionGroup = "freedom" | "access" | "limits" | "settings";

/** The options of a command by their names. */
export type Options = Readonly<Record<string, Option>>;

/** The values of the options that were given, by their names. */
export type Values<Given extends Options> = {
  [Name in keyof Given]: Given[Name] extends { multiple: true }
    ? string[] | undefined
    : Given[Name] extends { type: "boolean" }
      ? boolean
      : Given[Name] extends { default: string }
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
export interface CommandInput<Given extends Options> {
  values: Values<Given>;
  positionals: string[];
}

/** A command before it is loaded: what the overview needs, and where the rest is. */
export interface CommandEntry {
  name: string;
  summary: string;
  /** Other names for it, older or shorter. */
  aliases?: readonly string[];
  /** The overview and completions leave it out. */
  hidden?: true;
  load(): Promise<Command>;
}

/** A command of the program: help, checks, completion and docs all come from this. */
export interface Command<Given extends Options = Options> {
  /** As it is typed: `exec`, `mcp add`; empty for the program without a verb. */
  name: string;
  summary: string;
  /** What follows the name, besides options: `SCRIPT.json`, `-- CMD…`. */
  operands?: string;
  /** How many operands it takes at most; any number when absent. */
  mostOperands?: number;
  /** Behind so many operands everything is taken as it is, options of another program too. */
  verbatimAfter?: number;
  options: Given;
  /** Verbs of its own, typed behind its name. */
  verbs?: readonly CommandEntry[];
  /** The command reads what follows its name itself: it stands whole in `positionals`. */
  raw?: true;
  /** More for the help, below the options. */
  details?: string;
  /** Resolves with the exit code. */
  run(input: CommandInput<Given>, io: CommandIo): Promise<number>;
}

/** Declares a command. */
export function defineCommand<const Given extends Options>(command: Command<Given>): Command {
  return command as unknown as Command;
}
