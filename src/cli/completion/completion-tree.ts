import type { Command } from "../command.js";
import { shownOptions, shownVerbs } from "../help.js";
import { globalOptions } from "../options/global-options.js";

/** Completions after one command. */
export interface CompletionNode {
  /** Path of the command with slashes: `/mcp/add`; empty for the program itself. */
  path: string;
  /** Other ways to type it. */
  aliases: string[];
  verbs: CompletionWord[];
  options: CompletionOption[];
  /** True if operands may follow, such as a file. */
  takesOperands: boolean;
}

/** A word to offer, and what it is for. */
export interface CompletionWord {
  word: string;
  summary: string;
}

/** An option to offer, by all its names. */
export interface CompletionOption {
  names: string[];
  summary: string;
  takesValue: boolean;
  choices: readonly string[];
}

/** All commands with what can be typed behind each. */
export async function readCompletionTree(root: Command): Promise<CompletionNode[]> {
  const nodes: CompletionNode[] = [];
  const visit = async (command: Command, path: string, aliases: string[]): Promise<void> => {
    const entries = shownVerbs(command);
    nodes.push({
      path,
      aliases,
      verbs: entries.map(({ name, summary }) => ({ word: name, summary })),
      options: optionsOf(command),
      takesOperands: command.operands !== undefined,
    });
    for (const entry of entries) {
      const others = (entry.aliases ?? []).map((alias) => `${path}/${alias}`);
      await visit(await entry.load(), `${path}/${entry.name}`, others);
    }
  };
  await visit(root, "", []);
  return nodes;
}

function optionsOf(command: Command): CompletionOption[] {
  return shownOptions({ ...command.options, ...globalOptions }).map(([name, option]) => ({
    names: [`--${name}`, ...(option.short === undefined ? [] : [`-${option.short}`])],
    summary: option.help,
    takesValue: option.type === "string",
    choices: option.choices ?? [],
  }));
}
