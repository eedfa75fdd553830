/** Which setting is looked for; `section` and `key` in small letters, as git compares them. */
export interface SettingName {
  section: string;
  subsection: string;
  key: string;
}

/** The first value that a git config file gives a setting. */
export function findSetting(text: string, name: SettingName): string | undefined {
  let inSection = false;
  for (const line of text.replace(/\\\r?\n/g, "").split(/\r?\n/)) {
    const header = headerLine.exec(line);
    if (header) inSection = isSection(header, name);
    const assignment = header ? line.slice(header[0].length) : line;
    const parts = /^\s*([A-Za-z][\w-]*)\s*=(.*)$/.exec(assignment);
    if (!inSection || parts?.[1]?.toLowerCase() !== name.key) continue;
    return readValue(parts[2] ?? "");
  }
  return undefined;
}

const headerLine = /^\s*\[([^\]"]*)(?:"((?:[^"\\]|\\.)*)")?\s*\]/;

/** Returns the names of all settings in a git config file, `section.key` in small letters. */
export function settingNames(text: string): string[] {
  const names: string[] = [];
  let section = "";
  for (const line of text.replace(/\\\r?\n/g, "").split(/\r?\n/)) {
    const header = headerLine.exec(line);
    // The older form has the subsection behind a dot.
    if (header) section = (header[1] ?? "").trim().split(".")[0] ?? "";
    const rest = (header ? line.slice(header[0].length) : line).trim();
    if (rest === "" || /^[#;]/.test(rest)) continue;
    const key = /^[A-Za-z][\w-]*/.exec(rest)?.[0] ?? rest;
    names.push(`${section}.${key}`.toLowerCase());
  }
  return names;
}

function isSection(header: RegExpExecArray, { section, subsection }: SettingName): boolean {
  const [, name = "", quoted] = header;
  if (quoted === undefined) return name.trim().toLowerCase() === `${section}.${subsection}`;
  return name.trim().toLowerCase() === section && quoted.replace(/\\(.)/g, "$1") === subsection;
}

/** Quotes keep blanks and comment signs; what stands after an unquoted comment sign is none of it. */
function readValue(raw: string): string {
  let value = "";
  let kept = 0;
  let quoted = false;
  for (const [part] of raw.trim().matchAll(/\\.|[\s\S]/g)) {
    if (part === '"') quoted = !quoted;
    else if (!quoted && (part === "#" || part === ";")) break;
    else value += part.length > 1 ? (escapes[part[1] ?? ""] ?? part[1]) : part;
    if (quoted || !/^\s$/.test(part)) kept = value.length;
  }
  return value.slice(0, kept);
}

const escapes: Record<string, string> = { n: "\n", t: "\t", b: "\b" };
