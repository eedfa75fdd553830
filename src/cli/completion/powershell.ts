import type { CompletionNode } from "./completion-tree.js";

/** The completion for PowerShell. */
export function powershellScript(nodes: readonly CompletionNode[]): string {
  return `Register-ArgumentCompleter -Native -CommandName quire -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $paths = @{
${nodes.flatMap(pathLines).join("\n")}
  }
  $words = @{
${nodes.map(wordLines).join("\n")}
  }
  $at = ''
  foreach ($element in $commandAst.CommandElements | Select-Object -Skip 1) {
    if ($element.Extent.EndOffset -ge $cursorPosition) { break }
    $next = $paths["$at/$element"]
    if ($null -ne $next) { $at = $next }
  }
  $words[$at] | Where-Object { $_[0] -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_[0], $_[0], 'ParameterValue', $_[1])
  }
}
`;
}

function pathLines({ path, aliases }: CompletionNode): string[] {
  if (path === "") return [];
  return [path, ...aliases].map((typed) => `    ${quoted(typed)} = ${quoted(path)}`);
}

function wordLines({ path, verbs, options }: CompletionNode): string {
  const pairs = [
    ...verbs.map(({ word, summary }) => [word, summary] as const),
    ...options.flatMap(({ names, summary }) => names.map((name) => [name, summary] as const)),
  ];
  const list = pairs.map(([word, summary]) => `,@(${quoted(word)}, ${quoted(summary)})`);
  return `    ${quoted(path)} = @(\n      ${list.join("\n      ")}\n    )`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
