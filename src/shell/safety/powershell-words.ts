/**
 * Reads a PowerShell script that is nothing but commands of plain words and constant strings, joined
 * by `|`, `;` or newlines. Everything with a meaning of its own (variables, parentheses, blocks,
 * redirections, the call operator, comments) gives nothing.
 */
export function readPowerShellCommands(script: string): string[][] | undefined {
  const commands: string[][] = [];
  let words: string[] = [];
  let rest = script;
  while (rest !== "") {
    const token = rest.match(tokens);
    if (token === null) return undefined;
    const [text, operator, single, double, bare] = token;
    if (operator !== undefined) {
      if (words.length === 0 && operator === "|") return undefined;
      if (words.length > 0) commands.push(words);
      words = [];
    } else {
      const word = single?.replaceAll("''", "'") ?? double ?? bare;
      if (word === "--%" || word === "") return undefined;
      if (word !== undefined) words.push(word);
    }
    rest = rest.slice(text.length);
  }
  if (words.length > 0) commands.push(words);
  return commands;
}

// Blanks, an operator, a quoted string, or a bare word; strings must end where the word ends.
const tokens =
  /^(?:[ \t]+|(\||;|\r?\n)|'((?:[^']|'')*)'(?=[\s|;]|$)|"([^"$`]*)"(?=[\s|;]|$)|([\w./\\:*?+=,%^!-]+)(?=[\s|;]|$))/;
