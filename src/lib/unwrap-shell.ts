/**
 * Returns the script of a command line such as `/bin/bash -lc 'make test'`; any other command line
 * as is.
 */
export function unwrapShell(command: string): string {
  const words = shellWords(command);
  if (words?.length !== 3) return command;
  const [shell = "", flag = "", script = ""] = words;
  const isShell = /^(?:\/\S+\/)?(?:ba|z|da|k)?sh$/.test(shell);
  return isShell && /^-l?c$/.test(flag) ? script : command;
}

/** Splits a command line that was quoted word by word; undefined for any other. */
function shellWords(command: string): string[] | undefined {
  const words: string[] = [];
  let at = 0;
  while (at < command.length) {
    const word = /^(?:'[^']*'|"(?:[^"\\$`]|\\[\s\S])*"|\\[\s\S]|[^\s'"\\|&;<>()$`*?#~])+/.exec(
      command.slice(at),
    )?.[0];
    if (word === undefined) return undefined;
    words.push(unquoted(word));
    at += word.length;
    if (at < command.length && command[at] !== " ") return undefined;
    at += 1;
  }
  return words;
}

function unquoted(word: string): string {
  return word.replace(
    /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])/g,
    (_, single, double, one) => {
      if (single !== undefined) return single;
      return double === undefined ? one : double.replace(/\\(["\\$`])/g, "$1");
    },
  );
}
