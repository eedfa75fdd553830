import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createRedactor, variableSecrets } from "../../../lib/redact.js";
import type { ExportedThread } from "../../../protocol/exported-thread.js";
import { builtFolder } from "../../built-folder.js";

/**
 * Renders a thread as one HTML file that shows it as the browser UI does.
 *
 * The file loads nothing, and its policy allows no code but its own. Secrets are redacted by the
 * rules of telemetry.
 */
export async function toHtml(
  thread: ExportedThread,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const folder = builtFolder("export", "main.js");
  const [script, style] = await Promise.all(
    ["main.js", "style.css"].map((file) => readFile(join(folder, file), "utf8")),
  );
  const redact = createRedactor(variableSecrets(env));
  const shown = redactAll(thread, redact) as ExportedThread;
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(shown.title)} · Quire</title>
<style>${style}</style>
</head>
<body>
<div id="page"><main class="starting"><p>This file needs JavaScript to show the session.</p></main></div>
<script type="application/json" id="thread">${toInlineJson(shown)}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** Encodes a value so that no text in it can end or change the script element around it. */
function toInlineJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

function escapeHtml(text: string): string {
  const plain = text.replaceAll(/\s+/g, " ");
  return plain.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function hashOf(text = ""): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

function redactAll(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return value.startsWith("data:image/") ? value : redact(value);
  if (Array.isArray(value)) return value.map((one) => redactAll(one, redact));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [redact(name), redactAll(one, redact)]),
  );
}
