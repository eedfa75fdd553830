/** What one command does, before it is worded. */
export type Summary =
  | { type: "read"; path: string }
  | { type: "list_files"; path?: string | undefined }
  | { type: "search"; query?: string | undefined; path?: string | undefined };

/** Reads the arguments of one program; nothing when it cannot be said what the command does. */
export type Program = (args: readonly string[]) => Summary | undefined;

/** Programs by the name they are called with. */
export type Programs = Readonly<Record<string, Program>>;

/** The summary of a program that shows the one file it finds. */
export function read(path: string | undefined): Summary | undefined {
  return path === undefined ? undefined : { type: "read", path };
}
