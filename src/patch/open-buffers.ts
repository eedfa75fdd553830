/**
 * Files as an editor has them: its unsaved text counts, not the disk.
 *
 * Paths are absolute and contain no symbolic links. The caller has checked that they may be read or written.
 */
export interface OpenBuffers {
  /** Returns the text of a file; undefined if the editor does not provide it. */
  read(path: string): Promise<string | undefined>;
  /** Writes a file and saves it; resolves with false if the editor cannot. */
  write(path: string, text: string): Promise<boolean>;
}

/** Returns the unsaved text of an editor; undefined if it is that of the disk. */
export function unsavedText(disk: Buffer, text: string | undefined): Buffer | undefined {
  if (text === undefined) return undefined;
  const stored = disk.toString("utf8");
  if (plain(stored) === plain(text)) return undefined;
  // Editors return text without byte order mark and with line feeds, and restore both when they save.
  const mark = stored.startsWith(byteOrderMark) && !text.startsWith(byteOrderMark);
  const isWindows = stored.includes("\r\n") && !text.includes("\r\n");
  const lines = isWindows ? text.replaceAll("\n", "\r\n") : text;
  return Buffer.from(mark ? byteOrderMark + lines : lines);
}

const byteOrderMark = "\uFEFF";

function plain(text: string): string {
  return text.replace(byteOrderMark, "").replaceAll("\r\n", "\n");
}
