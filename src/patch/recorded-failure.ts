import { failureText, type PatchFailure, type SystemCause } from "./failure.js";

/**
 * Formats a failure as the reference did in 2025: the structured dump after `error: `.
 *
 * Clients of that time display it, so the surfaces that serve them keep the format.
 */
export function recordedFailureText(failure: PatchFailure): string {
  switch (failure.kind) {
    case "invalid_patch":
      return dump("ParseError", dump("InvalidPatchError", quote(failure.message)));
    case "invalid_hunk":
      return dump(
        "ParseError",
        record("InvalidHunkError", {
          message: quote(failure.message),
          line_number: String(failure.lineNumber),
        }),
      );
    case "no_match":
      return dump("ComputeReplacements", quote(failure.message));
    case "io":
      return dump(
        "IoError",
        record("IoError", { context: quote(failure.context), source: source(failure.cause) }),
      );
    default:
      return failureText(failure);
  }
}

function source({ errno, code, text }: SystemCause): string {
  const kind = KINDS[code] ?? "Uncategorized";
  return record("Os", { code: String(errno), kind, message: quote(text) });
}

const KINDS: Record<string, string> = {
  EACCES: "PermissionDenied",
  EISDIR: "IsADirectory",
  ENOENT: "NotFound",
  ENOTDIR: "NotADirectory",
  EPERM: "PermissionDenied",
  EROFS: "ReadOnlyFilesystem",
};

function dump(name: string, inner: string): string {
  return `${name}(\n${indent(inner)},\n)`;
}

function record(name: string, fields: Record<string, string>): string {
  const lines = Object.entries(fields).map(([key, value]) => indent(`${key}: ${value},`));
  return `${name} {\n${lines.join("\n")}\n}`;
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, "    ");
}

function quote(text: string): string {
  const escaped = text.replace(/[\\"\x00-\x1f\x7f]/g, (char) => {
    const short = { "\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0" };
    return short[char as keyof typeof short] ?? `\\u{${char.charCodeAt(0).toString(16)}}`;
  });
  return `"${escaped}"`;
}
