import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { entriesOf, type MarkdownFile, readMarkdownFiles, readTextFile } from "./claude-files.js";
import { Draft, type ImportPlaces, type PlannedItem } from "./plan.js";

/** Plans the import of `CLAUDE.md` as `AGENTS.md`. */
export function planInstructions(places: ImportPlaces): PlannedItem | undefined {
  const { userHome, home, cwd } = places;
  const candidates =
    cwd === undefined
      ? [join(userHome, ".claude", "CLAUDE.md")]
      : [join(cwd, "CLAUDE.md"), join(cwd, ".claude", "CLAUDE.md")];
  const draft = new Draft(places);
  const path = join(cwd ?? home, "AGENTS.md");
  for (const source of candidates) {
    const text = readTextFile(source, cwd ?? userHome);
    if (text === undefined || text.trim() === "") continue;
    draft.add(basename(source), { source, path, text });
    const imports = text.match(/^@\S+/gm)?.length ?? 0;
    if (imports > 0) {
      const what = imports === 1 ? "1 line that includes" : `${imports} lines that include`;
      draft.skip(basename(source), `${what} another file stay as text`);
    }
  }
  return draft.item("AGENTS_MD", `Instructions of ${candidates[0]}`);
}

/** Plans the import of commands: as saved prompts of the user, or as skills of the project. */
export function planCommands(places: ImportPlaces): PlannedItem | undefined {
  const folder = join(claudeFolder(places), "commands");
  const draft = new Draft(places);
  for (const file of readMarkdownFiles(folder, rootOf(places))) {
    const name = plainName(file.name);
    if (places.cwd === undefined) {
      const path = join(places.home, "prompts", `${name}.md`);
      draft.add(name, { source: file.path, path, text: file.text });
    } else {
      const path = join(places.cwd, ".agents", "skills", name, "SKILL.md");
      draft.add(name, { source: file.path, path, text: skillText(name, file) });
    }
    if (/^!`|[^\w]!`/m.test(file.body)) {
      draft.skip(name, "commands in !`…` are not run, the model reads them as text");
    }
  }
  return draft.item("COMMANDS", `Commands of ${folder}`);
}

/** Plans the import of helper agents as roles. */
export function planAgents(places: ImportPlaces): PlannedItem | undefined {
  const folder = join(claudeFolder(places), "agents");
  const target = places.cwd === undefined ? places.home : join(places.cwd, ".codex");
  const draft = new Draft(places);
  for (const file of readMarkdownFiles(folder, rootOf(places))) {
    const name = plainName(file.fields.get("name") || file.name);
    if (file.body.trim() === "") draft.skip(name, "the file has no instructions");
    else {
      const path = join(target, "agents", `${name}.toml`);
      draft.add(name, { source: file.path, path, text: roleText(file) });
    }
    const model = file.fields.get("model");
    if (model !== undefined && model !== "inherit") {
      draft.skip(name, `its model ${model} is not set, it gets that of the session`);
    }
  }
  return draft.item("SUBAGENTS", `Helper agents of ${folder}`);
}

/** Plans the import of skills: their folders are copied. */
export function planSkills(places: ImportPlaces): PlannedItem | undefined {
  const folder = join(claudeFolder(places), "skills");
  const target = places.cwd === undefined ? places.home : join(places.cwd, ".agents");
  const draft = new Draft(places);
  for (const entry of entriesOf(folder)) {
    const copyFrom = join(folder, entry.name);
    if (!entry.isDirectory() || !existsSync(join(copyFrom, "SKILL.md"))) continue;
    const path = join(target, "skills", entry.name);
    draft.add(entry.name, { source: copyFrom, path, copyFrom });
  }
  return draft.item("SKILLS", `Skills of ${folder}`);
}

/** Returns the folder with the settings of Claude Code. */
export function claudeFolder(places: ImportPlaces): string {
  return join(rootOf(places), ".claude");
}

/** Returns the folder that links in the settings may not leave. */
export function rootOf({ userHome, cwd }: ImportPlaces): string {
  return cwd ?? userHome;
}

/** Replaces characters that names of prompts, skills and roles cannot have. */
function plainName(name: string): string {
  return name.replace(/[^\w.-]+/g, "-").replace(/^[-.]+/, "") || "unnamed";
}

function skillText(name: string, { fields, body }: MarkdownFile): string {
  const description = fields.get("description") || body.split("\n")[0]?.slice(0, 200) || name;
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n${body}`;
}

/** Tools that change files or run commands. */
const writingTools = /^(?:Bash|Edit|MultiEdit|NotebookEdit|Write|\*)/;

function roleText({ fields, body, name }: MarkdownFile): string {
  const tools = (fields.get("tools") ?? "").split(/[\s,]+/).filter(Boolean);
  const isReader = tools.length > 0 && !tools.some((tool) => writingTools.test(tool));
  return [
    `description = ${JSON.stringify(fields.get("description") || name)}`,
    `developer_instructions = ${multilineText(body.trim())}`,
    ...(isReader ? ['sandbox_mode = "read-only"'] : []),
    "",
  ].join("\n");
}

/** Writes a TOML text of several lines, literally if possible. */
function multilineText(text: string): string {
  // TOML forbids control characters in literal text.
  const isLiteral = !text.includes("'''") && !/[\0-\x08\x0b-\x1f\x7f]/.test(text);
  return isLiteral ? `'''\n${text}\n'''` : JSON.stringify(text);
}
