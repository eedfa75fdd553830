import type { CompletionNode } from "./completion-tree.js";

/** The completion for bash. */
export function bashScript(nodes: readonly CompletionNode[]): string {
  return `_quire() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" at="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at/$word" in
${pathCases(nodes, "      ")}
    esac
  done
  case "$at $prev" in
${choiceCases(nodes, choiceCase)}
  esac
  case "$at" in
${nodes.map(wordCase).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o bashdefault -o default -F _quire quire
`;
}

/** For each command, the pattern of its path and what it leads to. */
export function pathCases(nodes: readonly CompletionNode[], indent: string): string {
  return nodes
    .filter(({ path }) => path !== "")
    .map(({ path, aliases }) => `${indent}${[path, ...aliases].join("|")}) at="${path}" ;;`)
    .join("\n");
}

/** For each option with a list of values, a line about the words that ask for it. */
export function choiceCases(
  nodes: readonly CompletionNode[],
  toLine: (patterns: string, choices: string) => string,
): string {
  const lines = nodes.flatMap(({ path, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .map(({ names, choices }) => {
        const patterns = names.map((name) => `"${path} ${name}"`).join("|");
        return toLine(patterns, choices.join(" "));
      }),
  );
  return lines.join("\n");
}

function choiceCase(patterns: string, choices: string): string {
  return `    ${patterns}) COMPREPLY=($(compgen -W "${choices}" -- "$cur")); return ;;`;
}

function wordCase({ path, verbs, options }: CompletionNode): string {
  const words = [...verbs.map(({ word }) => word), ...options.flatMap(({ names }) => names)];
  return `    "${path}") words="${words.join(" ")}" ;;`;
}
