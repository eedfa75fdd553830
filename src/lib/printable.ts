/**
 * Text that a terminal shows and does not obey: control characters are gone, but for line breaks and tabs.
 *
 * What a model, a command or a file says may hold sequences that move the cursor, change the title or
 * type for the user; also the letters that turn the direction of reading around are taken out.
 */
export function printable(text: string): string {
  return text.replace(sequences, "").replace(/\r\n?/g, "\n").replace(controls, "");
}

// Whole sequences first, so that their letters do not stay behind as text.
const sequences =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]?/g;

const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;
