import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { CopyButton } from "../lib/copy-button.js";
import { baseName } from "../lib/format.js";
import { highlighted } from "../markdown/code-block.js";
import { request } from "../state/app.js";
import { shownFolder, shownPath } from "../state/paths.js";
import { Dialog } from "./dialog.js";

/** A file as it is now, on the machine of the server. */
export function FileViewer({ path }: { path: string }) {
  const content = useSignal<{ text: string } | { problem: string } | undefined>(undefined);
  useEffect(() => {
    readText(path).then(
      (text) => {
        content.value = { text };
      },
      (error: unknown) => {
        content.value = { problem: error instanceof Error ? error.message : String(error) };
      },
    );
  }, [path, content]);
  const shown = content.value;
  const language = /\.(\w+)$/.exec(path)?.[1] ?? "";
  return (
    <Dialog label={`File ${shownPath(path)}`} isWide>
      <div class="row file-viewer-head">
        <h2 class="grow mono">{shownPath(path)}</h2>
        {shown !== undefined && "text" in shown && <CopyButton text={shown.text} />}
      </div>
      {shown === undefined && <p class="muted">Loading {baseName(path)}…</p>}
      {shown !== undefined && "problem" in shown && (
        <p class="problem" role="alert">
          {shown.problem}
        </p>
      )}
      {shown !== undefined && "text" in shown && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        <pre class="file-content" tabIndex={0}>
          <code>
            {shown.text.length > 200_000 ? shown.text : highlighted(shown.text, language)}
          </code>
        </pre>
      )}
    </Dialog>
  );
}

async function readText(path: string): Promise<string> {
  const isAbsolute = /^(?:\/|[A-Za-z]:[\\/])/.test(path);
  const file = isAbsolute ? path : `${shownFolder.peek() ?? ""}/${path}`;
  const { dataBase64 } = await request("fs/readFile", { path: file });
  if (dataBase64.length > mostLength) {
    throw new Error(`${baseName(path)} is larger than 2 MB; open it in an editor`);
  }
  const bytes = Uint8Array.from(atob(dataBase64), (char) => char.charCodeAt(0));
  if (bytes.includes(0)) throw new Error(`${baseName(path)} is not a text file`);
  return new TextDecoder().decode(bytes);
}

const mostLength = 2_800_000;
