/** Maximum length of a patch, in UTF-16 code units. */
export const MAX_PATCH_LENGTH = 10 * 1024 * 1024;

/** Maximum number of sections in a patch. */
export const MAX_SECTIONS = 5_000;

/** Maximum number of chunks in a patch. */
export const MAX_CHUNKS = 100_000;

/** Maximum size of a file that a patch updates or deletes, in bytes. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** Maximum size of all files of a patch together, in bytes. */
export const MAX_TOTAL_BYTES = 128 * 1024 * 1024;

/** Maximum number of line comparisons per file; a few tenths of a second. */
export const MAX_LINE_COMPARISONS = 100_000_000;

/** Error for a text that exceeds the limit. */
export const TOO_LONG = `The patch is longer than ${MAX_PATCH_LENGTH / 1024 / 1024} MiB; send it in parts`;

/** Returns the error for a patch with more sections or chunks than the limit. */
export function tooMany(limit: number, what: string): string {
  return `The patch has more than ${limit} ${what}; send it in parts`;
}
