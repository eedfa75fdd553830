import type { CompletionNode } from "./completion-tree.js";

/** The completion for fish. */
export function fishScript(nodes: readonly CompletionNode[]): string {
  const paths = nodes.filter(({ path }) => path !== "");
  return `function __quire_at
  set -l at ""
  for word in (commandline -opc)[2..-1]
    switch "$at/$word"
${paths.map(({ path, aliases }) => `      case ${[path, ...aliases].map(quoted).join(" ")}\n        set at ${quoted(path)}`).join("\n")}
    end
  end
  test "$at" = "$argv[1]"
end
complete -c quire -e
${nodes.flatMap(lines).join("\n")}
`;
}

function lines({ path, verbs, options, takesOperands }: CompletionNode): string[] {
  const here = `complete -c quire -n ${quoted(`__quire_at "${path}"`)}`;
  return [
    ...(takesOperands ? [] : [`${here} -f`]),
    ...verbs.map(({ word, summary }) => `${here} -a ${word} -d ${quoted(summary)}`),
    ...options.map(({ names, summary, takesValue, choices }) => {
      const flags = names.map((name) =>
        name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
      );
      const value = takesValue ? " -r" : "";
      const list = choices.length === 0 ? "" : ` -f -a ${quoted(choices.join(" "))}`;
      return `${here} ${flags.join(" ")}${value}${list} -d ${quoted(summary)}`;
    }),
  ];
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
