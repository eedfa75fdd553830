import { execFile } from "node:child_process";
import { toImageDataUrl } from "../../lib/image.js";

/** Programs that print the image in the clipboard, by platform. */
const readers: readonly (readonly [program: string, ...args: string[]])[] = [
  ["wl-paste", "--no-newline", "--type", "image/png"],
  ["xclip", "-selection", "clipboard", "-target", "image/png", "-out"],
  ["pngpaste", "-"],
];

/**
 * Returns the image in the clipboard as a data URL; undefined if there is none or no such program.
 */
export async function readClipboardImage(): Promise<string | undefined> {
  for (const [program, ...args] of readers) {
    const bytes = await outputOf(program, args);
    const url = bytes === undefined ? undefined : toImageDataUrl(bytes);
    if (url !== undefined) return url;
  }
  return undefined;
}

function outputOf(program: string, args: string[]): Promise<Buffer | undefined> {
  const options = { encoding: "buffer", timeout: 3000, maxBuffer: 32 * 1024 * 1024 } as const;
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout) => resolve(error ? undefined : stdout));
  });
}
