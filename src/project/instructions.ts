import { lstatSync } from "node:fs";
import { isAbsolute, join, sep } from "node:path";
import { projectFolders, readFileHead, realPath } from "../lib/files.js";
import { boundaryBefore } from "../lib/text.js";
import type { SkillMetadata } from "../protocol/types.js";
import { noSkillsSection, skillsSection } from "./skills/messages.js";

/** Where the user's and the project's words to the model are looked for. */
export interface UserInstructionsOptions extends ProjectDocOptions {
  /** The folder of the user's settings, with an `AGENTS.md` for every project. */
  home: string;
  /** Skills to be listed for the model; those that are not enabled are left out. */
  skills?: readonly SkillMetadata[] | undefined;
  /** Whether the model is told so when there are none. */
  saysNoSkills?: boolean;
}

/** All that the user and the project tell the model before the conversation begins. */
export function readUserInstructions(options: UserInstructionsOptions): ProjectDocs {
  const home = readHomeDoc(options);
  const project = readProjectDocs(options);
  const docs = [home.text, project.text].filter((text) => text !== undefined);
  const none = options.saysNoSkills === true ? noSkillsSection : undefined;
  const skills = skillsSection(options.skills ?? []) ?? none;
  const texts = [docs.join(projectDocSeparator), skills ?? ""].filter((text) => text !== "");
  return {
    text: texts.length === 0 ? undefined : texts.join("\n\n"),
    sources: [...home.sources, ...project.sources],
    warnings: [...home.warnings, ...project.warnings],
  };
}

/** The text as the first user message of a session, in the form of 2025. */
export function userInstructionsText(text: string): string {
  return `<user_instructions>\n\n${text}\n\n</user_instructions>`;
}

/** The text as a user message in the form of 2026, which names the folder it is for. */
export function agentsMdText(text: string, cwd: string): string {
  return `# AGENTS.md instructions for ${cwd}\n\n<INSTRUCTIONS>\n${text}\n</INSTRUCTIONS>`;
}

const projectDocSeparator = "\n\n--- project-doc ---\n\n";

/** The user's own file has no budget, only a bound against a mistake. */
const maxHomeDocBytes = 1024 * 1024;

function readHomeDoc({ home, overrideFiles }: UserInstructionsOptions): ProjectDocs {
  const warnings: string[] = [];
  for (const name of docNames({ overrideFiles })) {
    const path = join(home, name);
    const head = readFileHead(path, maxHomeDocBytes);
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

/** Where the project's own words to the model are looked for, and how much of them is taken. */
export interface ProjectDocOptions {
  cwd: string;
  /** For all files together; 0 reads none. */
  maxBytes?: number | undefined;
  rootMarkers?: readonly string[] | undefined;
  /** Names to look for where a folder has none of the usual ones. */
  fallbackFilenames?: readonly string[] | undefined;
  /** Whether `AGENTS.override.md` goes before `AGENTS.md`. */
  overrideFiles?: boolean | undefined;
}

/** What was found, and what of it could not be used. */
export interface ProjectDocs {
  /** Not set when there is nothing to say. */
  text: string | undefined;
  /** The files the text is from, in its order. */
  sources: string[];
  /** Sentences for the user. */
  warnings: string[];
}

/** As many bytes of project files as the model gets when the config says nothing. */
const defaultDocMaxBytes = 32 * 1024;

/**
 * Reads the `AGENTS.md` files of a project, from its root down to `cwd`.
 *
 * Of each folder one file is taken. The budget is spent from the root on, so what is dropped is the
 * end. Nothing that lies in a project makes this fail.
 */
export function readProjectDocs(options: ProjectDocOptions): ProjectDocs {
  const { maxBytes = defaultDocMaxBytes, rootMarkers = defaultRootMarkers } = options;
  const docs = { parts: [] as string[], sources: [] as string[], warnings: [] as string[] };
  if (maxBytes <= 0) return { text: undefined, sources: [], warnings: [] };
  const cwd = realPath(options.cwd);
  const folders = projectFolders(cwd, rootMarkers);
  let left = maxBytes;
  for (const folder of folders) {
    const limits = { root: folders[0] ?? cwd, maxBytes: left };
    const doc = readFolderDoc(folder, docNames(options), limits, docs.warnings);
    if (doc === undefined || doc.text.trim() === "") continue;
    docs.parts.push(doc.text);
    docs.sources.push(doc.path);
    left -= doc.size;
  }
  const text = docs.parts.length === 0 ? undefined : docs.parts.join("\n\n");
  return { text, sources: docs.sources, warnings: docs.warnings };
}

/** The names of the files that speak to the model, the preferred one first. */
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
  { root, maxBytes }: { root: string; maxBytes: number },
  warnings: string[],
): FolderDoc | undefined {
  for (const name of names) {
    const path = join(folder, name);
    const target = targetOf(path);
    if (target === undefined) continue;
    if (!isInside(target, root)) {
      warnings.push(`${path} is not read: it is a link out of the project, to ${target}`);
      continue;
    }
    const head = readFileHead(target, maxBytes);
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
  const cut = bytesTaken === 0 ? "is left out" : `is cut after ${bytesTaken} bytes`;
  return `${path} ${cut}: project_doc_max_bytes allows no more`;
}

/** A character that the budget cuts through is left out. */
function wholeCharacters(bytes: Buffer): number {
  const start = boundaryBefore(bytes, bytes.length - 1);
  return bytes.toString("utf8", start).includes("\ufffd") ? start : bytes.length;
}

/** Returns where a path leads; undefined if nothing is there, which is found out without an error. */
function targetOf(path: string): string | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) && realPath(path);
  } catch {
    return path; // reading it reports why it cannot be read
  }
}

/** A link could name any file of the user's, and what is read goes to the model with the first turn. */
function isInside(path: string, root: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** The files and folders by which a project's root is known when the config names none. */
export const defaultRootMarkers: readonly string[] = [".git"];
