/** The longest patch that is read, in UTF-16 units. */
export const MAX_PATCH_LENGTH = 10 * 1024 * 1024;

/** The most sections one patch may have. */
export const MAX_SECTIONS = 5_000;

/** The most chunks all its sections may have together. */
export const MAX_CHUNKS = 100_000;

/** The largest file that is updated or deleted by a patch, in bytes. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** How much all files one patch touches may hold together, in bytes. */
export const MAX_TOTAL_BYTES = 128 * 1024 * 1024;

/** How many line comparisons finding the chunks of one file may cost; some tenths of a second. */
export const MAX_LINE_COMPARISONS = 100_000_000;
