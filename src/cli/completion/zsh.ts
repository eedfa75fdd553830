import { choiceCases, pathCases } from "./bash.js";
import type { CompletionNode } from "./completion-tree.js";

/** The completion for zsh. */
export function zshScript(nodes: readonly CompletionNode[]): string {
  return `#compdef quire
_quire() {
  local at="" word prev="\${words[CURRENT-1]}"
  local -a verbs options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at/$word" in
${pathCases(nodes, "      ").replaceAll(/^( *)(.*)\)/gm, "$1($2)")}
    esac
  done
  case "$at $prev" in
${choiceCases(nodes, choiceCase)}
  esac
  case "$at" in
${nodes.map(wordCase).join("\n")}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then
    _describe -o option options
  else
    (( \${#verbs} )) && _describe command verbs
    _files
  fi
}
if [[ "\${funcstack[1]}" == _quire ]]; then _quire "$@"; else compdef _quire quire; fi
`;
}

function choiceCase(patterns: string, choices: string): string {
  return `    (${patterns}) compadd ${choices}; return ;;`;
}

function wordCase({ path, verbs, options }: CompletionNode): string {
  const described = (word: string, summary: string) => quoted(`${word}:${summary}`);
  const words = verbs.map(({ word, summary }) => described(word, summary)).join(" ");
  const flags = options
    .flatMap(({ names, summary }) => names.map((name) => described(name, summary)))
    .join(" ");
  return `    ("${path}") verbs=(${words}); options=(${flags}) ;;`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
