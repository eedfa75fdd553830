import { isUtf8 } from "node:buffer";
import { programName } from "../../lib/program-name.js";
import { applySections, commandLineText, MAX_PATCH_LENGTH, parsePatch } from "../../patch/index.js";
import { defineCommand } from "../command.js";

/** Applies a patch as patches of the model are applied. */
export const applyPatch = defineCommand({
  name: "apply-patch",
  summary: "Apply a patch in the apply_patch format",
  operands: "[PATCH]",
  options: {},
  raw: true,
  details:
    "The patch is the argument or standard input; paths are relative to the current directory.",
  run: ({ positionals }, io) => runApplyPatch(positionals, io),
});

/** Streams and environment of the command. */
export interface ApplyPatchStreams {
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
  cwd: string;
}

const usage = () =>
  `Usage: ${programName()} apply-patch 'PATCH'\n       ${programName()} apply-patch < PATCH_FILE\n`;

/**
 * Applies a patch given as the one argument or on standard input, relative to the working folder.
 * Returns the exit code: 0 when applied, 1 when not, 2 when it was called in a wrong way.
 */
export async function runApplyPatch(args: string[], io: ApplyPatchStreams): Promise<number> {
  if (args.length > 1) {
    io.stderr.write(`Error: apply-patch takes one argument (got ${args.length}).\n${usage()}`);
    return 2;
  }
  const text = args[0] ?? (await readPatch(io.stdin));
  if (text === undefined) {
    io.stderr.write("Error: the patch on standard input is too long or not UTF-8.\n");
    return 1;
  }
  if (text === "") {
    io.stderr.write(usage());
    return 2;
  }
  const parsed = parsePatch(text);
  if (!parsed.ok) {
    io.stderr.write(`${commandLineText(parsed.error)}\n`);
    return 1;
  }
  const { ok, stdout, stderr } = await applySections(parsed.patch.hunks, { cwd: io.cwd });
  if (stdout !== "") io.stdout.write(stdout);
  if (stderr !== "") io.stderr.write(stderr);
  return ok ? 0 : 1;
}

/** Stops reading once there is more than any patch may have. */
async function readPatch(stdin: NodeJS.ReadableStream): Promise<string | undefined> {
  const limit = 4 * MAX_PATCH_LENGTH; // a character has at most four bytes
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of stdin) {
    const bytes = Buffer.from(part as string | Uint8Array);
    parts.push(bytes);
    length += bytes.length;
    if (length > limit) return undefined;
  }
  const bytes = Buffer.concat(parts, length);
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}
