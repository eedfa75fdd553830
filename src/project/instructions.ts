import { lstatSync } from "node:fs";
import { isAbsolute, join, sep } from "node:path";
import { type MayRead, projectFolders, readFileHead, realPath } from "../lib/files.js";
import { boundaryBefore } from "../lib/text.js";
import type { SkillMetadata } from "../protocol/types.js";
import { noSkillsSection, skillsSection } from "./skills/messages.js";

/** Options for reading the user's and the project's instructions. */
export interface UserInstructionsOptions extends ProjectDocOptions {
  /** Config home, whose `AGENTS.md` applies to every project. */
  home: string;
  /** Skills to list for the model; disabled ones are omitted. */
  skills?: readonly SkillMetadata[] | undefined;
  /** If true, the text also states that there are no skills. */
  mentionsNoSkills?: boolean;
}

/**
 * Reads all instructions that precede the conversation: the user's, the project's and the skills.
 */
export function readUserInstructions(options: UserInstructionsOptions): ProjectDocs {
  const home = readHomeDoc(options);
  const project = readProjectDocs(options);
  const docs = [home.text, project.text].filter((text) => text !== undefined);
  const none = options.mentionsNoSkills === true ? noSkillsSection : undefined;
  const skills = skillsSection(options.skills ?? []) ?? none;
  const texts = [docs.join(projectDocSeparator), skills ?? ""].filter((text) => text !== "");
  return {
    text: texts.length === 0 ? undefined : texts.join("\n\n"),
    sources: [...home.sources, ...project.sources],
    warnings: [...home.warnings, ...project.warnings],
  };
}

/** Formats the text as the first user message of a session, in the format of 2025. */
export function userInstructionsText(text: string): string {
  return `<user_instructions>\n\n${text}\n\n</user_instructions>`;
}

/** Formats the text as a user message in the format of 2026, which names the folder. */
export function agentsMdText(text: string, cwd: string): string {
  return `# AGENTS.md instructions for ${cwd}\n\n<INSTRUCTIONS>\n${text}\n</INSTRUCTIONS>`;
}

const projectDocSeparator = "\n\n--- project-doc ---\n\n";

/** The user's own file has no budget, only a safety limit. */
const maxHomeDocBytes = 1024 * 1024;

function readHomeDoc({ home, overrideFiles, mayRead }: UserInstructionsOptions): ProjectDocs {
  const warnings: string[] = [];
  for (const name of docNames({ overrideFiles })) {
    const path = join(home, name);
    const head = readFileHead(path, maxHomeDocBytes, mayRead);
    if (head.problem !== undefined) {
      if (!head.missing) warnings.push(`${path} is not read: ${head.problem}`);
      continue;
    }
    if (!head.whole) warnings.push(`${path} is cut after ${maxHomeDocBytes} bytes`);
    const text = head.bytes.toString().trim();
    if (text !== "") return { text, sources: [path], warnings };
  }
  return { text: undefined, sources: [], warnings };
}

/** Options for reading a project's instructions. */
export interface ProjectDocOptions {
  cwd: string;
  /** Budget for all files together; 0 reads none. */
  maxBytes?: number | undefined;
  rootMarkers?: readonly string[] | undefined;
  /** Names to try in folders without one of the default files. */
  fallbackFilenames?: readonly string[] | undefined;
  /** Prefer `AGENTS.override.md` over `AGENTS.md`. Default: true. */
  overrideFiles?: boolean | undefined;
  /** Checks each file before it is read; all may be by default. */
  mayRead?: MayRead | undefined;
}

/** Instructions that were found, and warnings. */
export interface ProjectDocs {
  /** Undefined if there are no instructions. */
  text: string | undefined;
  /** Files of the text, in order. */
  sources: string[];
  /** Sentences for the user. */
  warnings: string[];
}

/** Default of `project_doc_max_bytes`. */
const defaultDocMaxBytes = 32 * 1024;

/**
 * Reads the `AGENTS.md` files of a project, from its root down to `cwd`.
 *
 * One file is read per folder. The budget is spent from the root down, so the end is what gets
 * dropped. Nothing in a project makes this throw.
 */
export function readProjectDocs(options: ProjectDocOptions): ProjectDocs {
  const { maxBytes = defaultDocMaxBytes, rootMarkers = defaultRootMarkers } = options;
  const docs = { parts: [] as string[], sources: [] as string[], warnings: [] as string[] };
  if (maxBytes <= 0) return { text: undefined, sources: [], warnings: [] };
  const cwd = realPath(options.cwd);
  const folders = projectFolders(cwd, rootMarkers);
  let left = maxBytes;
  for (const folder of folders) {
    const limits = { root: folders[0] ?? cwd, maxBytes: left, mayRead: options.mayRead };
    const doc = readFolderDoc(folder, docNames(options), limits, docs.warnings);
    if (doc === undefined || doc.text.trim() === "") continue;
    docs.parts.push(doc.text);
    docs.sources.push(doc.path);
    left -= doc.size;
  }
  const text = docs.parts.length === 0 ? undefined : docs.parts.join("\n\n");
  return { text, sources: docs.sources, warnings: docs.warnings };
}

/** Returns the file names to try, in order of preference. */
function docNames({ overrideFiles = true, fallbackFilenames = [] }: Partial<ProjectDocOptions>) {
  const usual = overrideFiles ? ["AGENTS.override.md", "AGENTS.md"] : ["AGENTS.md"];
  const further = fallbackFilenames.filter(
    (name) => name !== "" && !isAbsolute(name) && !name.split(/[/\\]/).includes(".."),
  );
  return [...new Set([...usual, ...further])];
}

interface FolderDoc {
  path: string;
  text: string;
  size: number;
}

function readFolderDoc(
  folder: string,
  names: readonly string[],
  { root, maxBytes, mayRead }: { root: string; maxBytes: number; mayRead: MayRead | undefined },
  warnings: string[],
): FolderDoc | undefined {
  for (const name of names) {
    const path = join(folder, name);
    const target = targetOf(path);
    if (target === undefined) continue;
    if (!isInside(target, root)) {
      warnings.push(`${path} was skipped: it links to ${target}, outside the project`);
      continue;
    }
    const head = readFileHead(target, maxBytes, mayRead);
    if (head.problem === undefined) {
      if (!head.whole) warnings.push(tooLong(path, maxBytes));
      const end = head.whole ? head.bytes.length : wholeCharacters(head.bytes);
      return { path, text: head.bytes.toString("utf8", 0, end), size: head.bytes.length };
    }
    if (!head.missing) warnings.push(`${path} is not read: ${head.problem}`);
  }
  return undefined;
}

function tooLong(path: string, bytesTaken: number): string {
  const cut = bytesTaken === 0 ? "was skipped" : `was truncated after ${bytesTaken} bytes`;
  return `${path} ${cut}: project_doc_max_bytes is reached`;
}

/** Drops a character that the budget cuts in two. */
function wholeCharacters(bytes: Buffer): number {
  const start = boundaryBefore(bytes, bytes.length - 1);
  return bytes.toString("utf8", start).includes("\ufffd") ? start : bytes.length;
}

/**
 * Returns the target of a path; undefined if it does not exist. A check avoids the cost of an
 * exception.
 */
function targetOf(path: string): string | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) && realPath(path);
  } catch {
    return path; // reading it reports why it cannot be read
  }
}

/** A link could point to any file of the user, and its contents are sent to the model. */
function isInside(path: string, root: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** Default markers of a project's root. */
export const defaultRootMarkers: readonly string[] = [".git"];
