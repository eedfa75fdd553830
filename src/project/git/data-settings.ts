/** A setting of git with the scope it comes from, as `git config --list --show-scope` reports it. */
export interface Setting {
  scope: string;
  name: string;
  value: string;
}

/**
 * Reads the output of `git config --list -z --show-scope`.
 *
 * An entry is the scope, then the name and, behind a newline, the value; a name alone means true.
 */
export function readSettings(output: string): Setting[] {
  const words = output.split("\0");
  const settings: Setting[] = [];
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [scope = "", entry = ""] = [words[at], words[at + 1]];
    const end = entry.indexOf("\n");
    const name = end < 0 ? entry : entry.slice(0, end);
    settings.push({ scope, name, value: end < 0 ? "true" : entry.slice(end + 1) });
  }
  return settings;
}

/**
 * Formats a config file that has the settings of `settings` that are data, and none that names a
 * program, another file or an address.
 *
 * It is a list of what is allowed: a key that git learns later is not in it.
 */
export function toDataConfig(settings: readonly Setting[], excludesFile: string): string {
  const lines = settings.flatMap(({ name, value }) => {
    const remote = /^remote\.(.+)\.url$/s.exec(name)?.[1];
    // Remotes are listed, never reached.
    if (remote !== undefined) return [`[remote ${quote(remote)}]`, `\turl = ${quote("/dev/null")}`];
    if (!dataSettings.has(name)) return [];
    const [section, key] = name.split(".");
    return [`[${section}]`, `\t${key} = ${quote(value)}`];
  });
  return [...lines, ...fixedSettings, `\texcludesFile = ${quote(excludesFile)}`, ""].join("\n");
}

/** Returns the file with the user's own ignore rules; the settings of a project do not choose it. */
export function excludesFileOf(settings: readonly Setting[], env: NodeJS.ProcessEnv): string {
  const own = settings.filter(
    ({ scope, name }) => name === "core.excludesfile" && (scope === "system" || scope === "global"),
  );
  const home = env.HOME ?? env.USERPROFILE ?? "";
  const chosen = own.at(-1)?.value.replace(/^~(?=\/)/, home);
  return chosen ?? `${env.XDG_CONFIG_HOME || `${home}/.config`}/git/ignore`;
}

/** Settings that say how files are stored and compared. */
const dataSettings = new Set([
  "core.repositoryformatversion",
  "core.filemode",
  "core.symlinks",
  "core.ignorecase",
  "core.precomposeunicode",
  "core.autocrlf",
  "core.eol",
  "core.safecrlf",
  "core.checkstat",
  "core.trustctime",
  "core.longpaths",
  "core.protecthfs",
  "core.protectntfs",
  "core.sparsecheckout",
  "core.sparsecheckoutcone",
  "core.bigfilethreshold",
  "extensions.objectformat",
  "extensions.refstorage",
  "index.sparse",
]);

const fixedSettings = [
  "[log]",
  "\tshowSignature = false",
  "[submodule]",
  "\trecurse = false",
  "[core]",
  "\tbare = false",
  "\tfsmonitor = false",
  "\thooksPath = /dev/null",
  "\tattributesFile = /dev/null",
  "\tpager = cat",
];

function quote(text: string): string {
  const escaped = text.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  return `"${escaped}"`;
}
