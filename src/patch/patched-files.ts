import { realpath } from "node:fs/promises";
import type { MayRead } from "../lib/files.js";
import { type PatchFailure, systemFailure } from "./failure.js";
import { type FileRights, type FileSnapshot, readSnapshot, statSnapshot } from "./file-snapshot.js";
import { MAX_TOTAL_BYTES } from "./limits.js";
import { type OpenBuffers, unsavedText } from "./open-buffers.js";
import { resolveTarget } from "./target.js";

/** A file after the sections applied so far. */
export interface PatchedFile {
  path: string;
  target: string;
  /** The file on disk; undefined if it does not exist. */
  before: FileSnapshot | undefined;
  exists: boolean;
  /** The text set by a section; undefined if none did. */
  text: string | undefined;
  /** A section added it, even if it existed. */
  added: boolean;
  /** Mode and owner to set; undefined for the defaults of a new file. */
  rights: FileRights | undefined;
  movedFrom: MoveOrigin | undefined;
  label: string;
}

/** The previous path of a moved file, and its text there. */
export interface MoveOrigin {
  file: PatchedFile;
  text: string | undefined;
}

/** Options for {@link PatchedFiles.open}. */
export interface OpenOptions {
  /** Follow a symbolic link at the end of the path. */
  follow: boolean;
  /** Read the contents. */
  read: boolean;
  /** Start of the failure message. */
  context: string;
}

type Opened = { ok: true; file: PatchedFile } | { ok: false; failure: PatchFailure };

/**
 * The files of a patch, with the changes of its sections in memory; writes nothing.
 *
 * Files are identified by their real path, so two paths to one file share their changes.
 */
export class PatchedFiles {
  readonly #files = new Map<string, PatchedFile>();
  readonly #mayRead: MayRead | undefined;
  readonly #buffers: OpenBuffers | undefined;
  #bytes = 0;

  constructor(mayRead?: MayRead, buffers?: OpenBuffers) {
    this.#mayRead = mayRead;
    this.#buffers = buffers;
  }

  /** All opened files, in the order of their last change. */
  list(): PatchedFile[] {
    return [...this.#files.values()];
  }

  /** Opens a file on disk or as an earlier section left it; it need not exist. */
  async open(path: string, options: OpenOptions): Promise<Opened> {
    const { context, follow } = options;
    const problem = pathProblem(path);
    if (problem) return refuse(context, problem);
    const resolved = await resolveTarget(path, { follow, context });
    if (!resolved.ok) return resolved;
    const target = resolved.target.path;
    const known = this.#files.get(target);
    if (known && (!options.read || known.text !== undefined || known.before?.bytes)) {
      return { ok: true, file: known };
    }
    const read = await this.#look(target, options);
    if (!read.ok) return read;
    const file = known ?? newFile(path, target);
    if (!known) file.exists = read.before !== undefined;
    file.before = read.before;
    this.#files.set(target, file);
    return { ok: true, file };
  }

  /** Records a change by a section. */
  change(file: PatchedFile, change: Partial<PatchedFile>): void {
    Object.assign(file, change);
    this.#files.delete(file.target);
    this.#files.set(file.target, file);
  }

  async #look(target: string, { read, context, follow }: OpenOptions) {
    const stat = await statSnapshot(target, context);
    if (!stat.ok) return stat.missing ? { ok: true as const, before: undefined } : stat;
    if (!read) return { ok: true as const, before: stat.file };
    // Deleting a link shows the text of the file behind it.
    const source = follow ? { ok: true as const, path: target } : await behindLink(target, context);
    if (!source.ok) return source;
    const file = await readSnapshot(source.path, context, this.#mayRead);
    if (!file.ok) return file;
    const { bytes = Buffer.alloc(0) } = file.file;
    // Only after the guard has allowed the file.
    const unsaved = follow ? unsavedText(bytes, await this.#buffers?.read(target)) : undefined;
    this.#bytes += bytes.length + (unsaved?.length ?? 0);
    if (this.#bytes > MAX_TOTAL_BYTES) return refuse(context, TOO_MUCH);
    const contents = unsaved === undefined ? { bytes } : { bytes: unsaved, onDisk: bytes };
    return { ok: true as const, before: { ...stat.file, ...contents } };
  }
}

const TOO_MUCH = `the files of the patch hold more than ${MAX_TOTAL_BYTES / 1024 / 1024} MiB; send it in parts`;

async function behindLink(path: string, context: string) {
  try {
    return { ok: true as const, path: await realpath(path) };
  } catch (error) {
    return { ok: false as const, failure: systemFailure(error, context) };
  }
}

function newFile(path: string, target: string): PatchedFile {
  return {
    path,
    target,
    before: undefined,
    exists: false,
    text: undefined,
    added: false,
    rights: undefined,
    movedFrom: undefined,
    label: "",
  };
}

function pathProblem(path: string): string | undefined {
  if (path.includes("\0")) return "the path contains a NUL character";
  return undefined;
}

function refuse(context: string, reason: string): { ok: false; failure: PatchFailure } {
  return { ok: false, failure: { kind: "refused", context, reason } };
}
