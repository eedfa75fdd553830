/** The skills that a text names, each once, in the order of the text. */
export interface SkillMentions {
  /** All names, also those of links. */
  names: Set<string>;
  /** Names without a link, written `$name`. */
  plainNames: Set<string>;
  /** What links lead to, written `[$name](path)`. */
  paths: Set<string>;
}

/** Looks for `$name` and `[$name](path)`; names that mostly are environment variables do not count. */
export function findMentions(text: string): SkillMentions {
  const mentions: SkillMentions = { names: new Set(), plainNames: new Set(), paths: new Set() };
  const lastClosing = text.lastIndexOf(")"); // after it there is no link, however much looks like one
  for (let at = text.search(/[[$]/); at >= 0; at = nextSign(text, at)) {
    const link = at < lastClosing ? matchAt(linkPattern, text, at) : undefined;
    const [whole = "", name = "", path = ""] = link ?? matchAt(namePattern, text, at) ?? [];
    if (whole !== "" && !isVariable(name)) add(mentions, name, path.trim());
    at += Math.max(whole.length, 1) - 1;
  }
  return mentions;
}

/** Whether a path names something other than a skill: an app or an MCP server's resource. */
export function isOtherResource(path: string): boolean {
  return path.startsWith("app://") || path.startsWith("mcp://");
}

const namePattern = /\$([A-Za-z0-9_-]+)/y;
const linkPattern = /\[\$([A-Za-z0-9_-]+)\][ \t\n\f\r]*\(([^)]*[^)\s][^)]*)\)/y;

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

function nextSign(text: string, after: number): number {
  const rest = /[[$]/g;
  rest.lastIndex = after + 1;
  return rest.exec(text)?.index ?? -1;
}

function add(mentions: SkillMentions, name: string, path: string): void {
  if (path === "") mentions.plainNames.add(name);
  else mentions.paths.add(path);
  if (!isOtherResource(path)) mentions.names.add(name);
}

const variables = new Set(
  "PATH HOME USER SHELL PWD TMPDIR TEMP TMP LANG TERM XDG_CONFIG_HOME".split(" "),
);

function isVariable(name: string): boolean {
  return variables.has(name.toUpperCase());
}
