import { resolve } from "node:path";

/**
 * The built program: `bin/quire.js`, or another file that `QUIRE_BIN` names, such as the executable of
 * `npm run executable`. Relative to the folder of the project, which is the working directory of all
 * scripts: the path of this module says nothing, since soaks and benchmarks are bundled elsewhere.
 */
export const bin = resolve(process.env.QUIRE_BIN ?? "bin/quire.js");

/** Returns the program and the arguments to spawn: a script is run by Node. */
export function quireCommand(args: readonly string[], file = bin): [string, string[]] {
  const isScript = bin.endsWith(".js") || /\.m?js$/.test(file);
  return isScript ? [process.execPath, [file, ...args]] : [file, [...args]];
}
