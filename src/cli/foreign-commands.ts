import { UsageError } from "./exit-codes.js";

/** A command of Codex that is not supported, or a word that is often typed as a command. */
export interface ForeignCommand {
  /** Words as typed, such as `app-server daemon`. */
  name: string;
  aliases?: readonly string[];
  /** False if no version of Codex has it. */
  ofCodex?: false;
  /** Subcommand that is supported. */
  except?: string;
  /** Alternative, as a sentence without a full stop. */
  instead: string;
}

/** Unsupported commands of Codex, including hidden ones and those of older versions. */
export const foreignCommands: readonly ForeignCommand[] = [
  {
    name: "agents",
    instead: "`quire sessions list` lists the sessions, `quire resume` opens one",
  },
  {
    name: "plugin",
    aliases: ["plugins"],
    instead: "add MCP servers with `quire mcp add`, and skills as folders in $CODEX_HOME/skills",
  },
  {
    name: "remote-control",
    instead: "serve with `quire app-server --listen URL`, and connect with `quire --remote URL`",
  },
  {
    name: "daemon",
    ofCodex: false,
    instead: "serve with `quire app-server --listen unix://`, and connect with `quire --remote`",
  },
  {
    name: "app-server daemon",
    instead: "start `quire app-server --listen unix://` with the service manager of the system",
  },
  {
    name: "app-server proxy",
    instead: "connect to the server with `quire --remote unix://`",
  },
  {
    name: "update",
    aliases: ["upgrade"],
    instead: "install the new version the way this one was installed, for example with npm",
  },
  {
    name: "cloud",
    aliases: ["cloud-tasks"],
    except: "apply",
    instead: "apply the diff of a task with `quire apply TASK_ID`",
  },
  {
    name: "exec-server",
    instead: "run commands with the method `command/exec` of `quire app-server`",
  },
  { name: "migrate-rollouts", instead: "sessions of every version are read as they are" },
  { name: "migrate-nfs-db", instead: "there is no database to migrate" },
  { name: "execpolicy", instead: "`quire policy explain -- CMD…` shows what the rules decide" },
  { name: "responses-api-proxy", instead: "set `base_url` and `env_key` of a model provider" },
  { name: "stdio-to-uds", instead: "connect to a socket with `quire --remote unix://PATH`" },
  { name: "app", instead: "`quire` alone works in the terminal" },
  { name: "debug app-server", instead: "`quire exec --json PROMPT` prints every event of a turn" },
  { name: "debug trace-reduce", instead: "`quire sessions export` renders a session" },
  { name: "debug clear-memories", instead: "nothing is stored about you besides the sessions" },
  { name: "exec fork", instead: "`quire fork ID` continues a copy in the terminal" },
  {
    name: "schema",
    aliases: ["generate-json-schema"],
    ofCodex: false,
    instead: "`quire app-server generate-json-schema --out DIR` writes the JSON Schema",
  },
  {
    name: "generate-ts",
    instead: "`quire app-server generate-ts --out DIR` writes the TypeScript types",
  },
  {
    name: "serve",
    aliases: ["server"],
    ofCodex: false,
    instead: "`quire app-server --listen URL` serves clients",
  },
  {
    name: "models",
    aliases: ["model"],
    ofCodex: false,
    instead: "`quire debug models` lists the models, `quire -m MODEL` uses one",
  },
  {
    name: "status",
    aliases: ["whoami"],
    ofCodex: false,
    instead: "`quire login status` and `quire doctor` show the state of this installation",
  },
  {
    name: "config",
    ofCodex: false,
    instead: "edit config.toml in $CODEX_HOME, or set a key for one run with `quire -c KEY=VALUE`",
  },
  {
    name: "history",
    aliases: ["list", "ls"],
    ofCodex: false,
    instead: "`quire sessions list` lists the sessions",
  },
  { name: "version", ofCodex: false, instead: "`quire --version` prints the version" },
  { name: "run", ofCodex: false, instead: "`quire exec PROMPT` works on one task" },
];

/** Throws if the words start with such a command; they are never sent as a prompt. */
export function refuseForeignCommand(words: readonly string[]): void {
  const typed = (name: string) => name.split(" ").every((word, at) => words[at] === word);
  for (const { name, aliases = [], ofCodex, except, instead } of foreignCommands) {
    const found = [name, ...aliases].find(typed);
    if (found === undefined || (except !== undefined && words[1] === except)) continue;
    // A word that only looks like a command is a prompt if more words follow.
    if (ofCodex === false && words.slice(1).some((word) => !word.startsWith("-"))) continue;
    const what =
      ofCodex === false ? "is not a command" : "is a command of Codex that Quire does not have";
    const asPrompt = found.includes(" ") ? "" : ` To send it as a prompt: \`quire -- ${found}\``;
    throw new UsageError(`\`${found}\` ${what}. Instead: ${instead}.${asPrompt}`);
  }
}
