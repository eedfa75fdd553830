import { dirname, isAbsolute, join, normalize } from "node:path";
import { readFileHead } from "../../lib/files.js";
import { charCount } from "../../lib/text.js";
import type { SkillErrorInfo, SkillMetadata } from "../../protocol/types.js";
import type { YamlValue } from "../yaml/cursor.js";
import { parseYaml } from "../yaml/parse.js";
import { maxNameLength, maxTextLength } from "./front-matter.js";

/** Contents of the optional file beside a `SKILL.md`. */
interface SkillExtras {
  interface?: SkillInterface;
  dependencies?: { tools: SkillTool[] };
}

/**
 * Reads `agents/openai.yaml` beside a `SKILL.md`: how to display the skill, and tools it needs.
 *
 * The file is optional, so invalid parts are ignored.
 */
export function readSkillExtras(skillPath: string): SkillExtras {
  const folder = dirname(skillPath);
  const head = readFileHead(join(folder, "agents", "openai.yaml"), maxBytes);
  if (head.problem !== undefined || !head.whole) return {};
  let value: YamlValue;
  try {
    value = parseYaml(head.bytes.toString());
  } catch {
    return {};
  }
  const shown = readInterface(member(value, "interface"), folder);
  const tools = readTools(member(member(value, "dependencies"), "tools"));
  return {
    ...(Object.keys(shown).length === 0 ? {} : { interface: shown }),
    ...(tools.length === 0 ? {} : { dependencies: { tools } }),
  };
}

const maxBytes = 64 * 1024;

function readInterface(value: YamlValue | undefined, folder: string): SkillInterface {
  const color = text(value, "brand_color", maxNameLength);
  return withoutEmpty({
    display_name: text(value, "display_name", maxNameLength),
    short_description: text(value, "short_description", maxTextLength),
    icon_small: assetPath(text(value, "icon_small", maxTextLength), folder),
    icon_large: assetPath(text(value, "icon_large", maxTextLength), folder),
    brand_color: color !== undefined && /^#[0-9a-fA-F]{6}$/.test(color) ? color : undefined,
    default_prompt: text(value, "default_prompt", maxTextLength),
  });
}

/** Images must be in the skill's `assets` folder. */
function assetPath(path: string | undefined, folder: string): string | undefined {
  if (path === undefined || isAbsolute(path) || path.split(/[/\\]/).includes(".."))
    return undefined;
  const normal = normalize(path);
  return /^assets[/\\]/.test(normal) ? join(folder, normal) : undefined;
}

function readTools(value: YamlValue | undefined): SkillTool[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((tool) => {
    const type = text(tool, "type", maxNameLength);
    const name = text(tool, "value", maxTextLength);
    if (type === undefined || name === undefined) return [];
    const more = withoutEmpty({
      description: text(tool, "description", maxTextLength),
      transport: text(tool, "transport", maxNameLength),
      command: text(tool, "command", maxTextLength),
      url: text(tool, "url", maxTextLength),
    });
    return [{ type, value: name, ...more }];
  });
}

function member(value: YamlValue | undefined, key: string): YamlValue | undefined {
  return value instanceof Map ? value.get(key) : undefined;
}

function text(value: YamlValue | undefined, key: string, maxLength: number): string | undefined {
  const found = member(value, key);
  if (typeof found !== "string") return undefined;
  const line = found.split(/\s+/u).filter(Boolean).join(" ");
  return line === "" || charCount(line) > maxLength ? undefined : line;
}

function withoutEmpty<Fields extends Record<string, string | undefined>>(
  fields: Fields,
): { [Key in keyof Fields]?: string } {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Key in keyof Fields]?: string };
}

/** Display settings of a skill. */
export interface SkillInterface {
  display_name?: string;
  short_description?: string;
  icon_small?: string;
  icon_large?: string;
  /** Format `#RRGGBB`. */
  brand_color?: string;
  default_prompt?: string;
}

/** A tool that a skill requires. */
export interface SkillTool {
  type: string;
  value: string;
  description?: string;
  transport?: string;
  command?: string;
  url?: string;
}

/** A skill with its optional display settings and dependencies. */
export interface Skill extends SkillMetadata {
  enabled: boolean;
  interface?: SkillInterface;
  dependencies?: { tools: SkillTool[] };
}

/** Skills of a folder, and files that are not valid skills. */
export interface LoadedSkills {
  skills: Skill[];
  errors: SkillErrorInfo[];
}
