import { charCount } from "../../lib/text.js";
import { YamlError, type YamlValue } from "../yaml/cursor.js";
import { parseYaml } from "../yaml/parse.js";

/** Front matter of a `SKILL.md`. */
export interface SkillHead {
  name: string;
  description: string;
  short_description?: string;
}

/** Thrown for a file that is not a valid skill. */
export class SkillFileError extends Error {
  override readonly name = "SkillFileError";
}

/**
 * Parses the front matter between the two `---` lines of a `SKILL.md`. Throws a `SkillFileError`.
 */
export function parseSkillHead(text: string): SkillHead {
  const yaml = frontMatter(text);
  if (yaml === undefined) throw new SkillFileError("missing YAML frontmatter delimited by ---");
  const fields = readFields(yaml);
  const name = required(fields.get("name"), "name", maxNameLength);
  const description = required(fields.get("description"), "description", maxTextLength);
  const metadata = fields.get("metadata") ?? new Map<string, YamlValue>();
  if (!(metadata instanceof Map)) {
    throw new SkillFileError("invalid metadata: expected indented lines of `key: value`");
  }
  const field = "metadata.short-description";
  const short = singleLine(metadata.get("short-description"), field);
  checkLength(short, field, maxTextLength);
  return short === "" ? { name, description } : { name, description, short_description: short };
}

/** Maximum length of a skill's name and texts, in characters. */
export const maxNameLength = 64;
export const maxTextLength = 1024;

/** Collapses whitespace to single spaces. */
function singleLine(value: YamlValue | undefined, field: string): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string") throw new SkillFileError(`invalid ${field}: must be a string`);
  return value.split(/\s+/u).filter(Boolean).join(" ");
}

function frontMatter(text: string): string | undefined {
  const [first, ...lines] = text.replace(/^\ufeff/, "").split(/\r?\n/);
  if (first?.trim() !== "---") return undefined;
  const end = lines.findIndex((line) => line.trim() === "---");
  return end <= 0 ? undefined : lines.slice(0, end).join("\n");
}

function readFields(yaml: string): Map<string, YamlValue> {
  let value: YamlValue;
  try {
    value = parseYaml(`\n${yaml}`); // preserves the file's line numbers
  } catch (error) {
    if (error instanceof YamlError) throw new SkillFileError(`invalid YAML: ${error.message}`);
    throw error;
  }
  if (value === null) return new Map();
  if (!(value instanceof Map))
    throw new SkillFileError("invalid YAML: expected lines of `key: value`");
  return value;
}

function required(value: YamlValue | undefined, field: string, maxLength: number): string {
  const text = singleLine(value, field);
  if (text === "") throw new SkillFileError(`missing field \`${field}\``);
  checkLength(text, field, maxLength);
  return text;
}

function checkLength(text: string, field: string, maxLength: number): void {
  if (charCount(text) <= maxLength) return;
  throw new SkillFileError(`invalid ${field}: exceeds maximum length of ${maxLength} characters`);
}
