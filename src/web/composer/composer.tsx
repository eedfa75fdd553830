import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { UserInput } from "../../protocol/rpc/v2/user-input.js";
import { Icon } from "../lib/icon.js";
import { reporting, send, stop } from "../state/actions.js";
import { client, openThreadId, openView } from "../state/app.js";
import { whenConnected } from "../state/connection.js";
import { readDraft, writeDraft } from "./drafts.js";
import { imagesOf, readImage } from "./images.js";
import { Pickers } from "./pickers.js";

/** Input of the user: text, and images by paste, drop or choice. */
export function Composer() {
  const box = useRef<HTMLTextAreaElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const threadId = openThreadId.value;
  const text = useSignal(readDraft(threadId));
  const images = useSignal<readonly string[]>([]);
  const isSending = useSignal(false);
  const view = openView.value;
  const isRunning = view?.runningTurn.value !== undefined;
  useEffect(() => {
    text.value = readDraft(threadId);
    images.value = [];
    if (matchMedia("(hover: hover)").matches) box.current?.focus();
  }, [threadId, text, images]);
  useEffect(() => {
    if (box.current !== null) fitHeight(box.current);
  });
  const change = (value: string) => {
    text.value = value;
    writeDraft(openThreadId.peek(), value);
  };
  const attach = (added: readonly File[]) =>
    reporting(async () => {
      const urls = await Promise.all(added.map(readImage));
      images.value = [...images.value, ...urls];
    });
  const submit = () =>
    reporting(async () => {
      const isEmpty = text.value.trim() === "" && images.value.length === 0;
      if (isEmpty || isSending.value) return;
      isSending.value = true;
      try {
        await whenConnected(); // until then the text stays where it is
        const sent = { text: text.value, images: images.value };
        change("");
        images.value = [];
        await send(toInput(sent)).catch((error: unknown) => {
          change(text.value === "" ? sent.text : `${sent.text}\n${text.value}`);
          images.value = sent.images;
          throw error;
        });
      } finally {
        isSending.value = false;
      }
    });
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void attach(imagesOf(event.dataTransfer));
      }}
    >
      {images.value.length > 0 && (
        <div class="chips">
          {images.value.map((url) => (
            <button
              key={url}
              type="button"
              class="chip image-chip"
              aria-label="Remove image"
              onClick={() => {
                images.value = images.value.filter((other) => other !== url);
              }}
            >
              <img src={url} alt="" />
              <span aria-hidden="true">×</span>
            </button>
          ))}
        </div>
      )}
      <textarea
        ref={box}
        aria-label="Message"
        rows={1}
        value={text.value}
        placeholder={isRunning ? "Add to the running turn" : "Describe a task or ask a question"}
        onInput={(event) => change(event.currentTarget.value)}
        onPaste={(event) => {
          const pasted = imagesOf(event.clipboardData);
          if (pasted.length === 0) return;
          event.preventDefault();
          void attach(pasted);
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          void submit();
        }}
      />
      <div class="composer-row">
        <Pickers view={view} />
        <input
          ref={files}
          type="file"
          accept="image/*"
          multiple
          hidden
          onChange={(event) => {
            void attach([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = "";
          }}
        />
        <span class="spacer" />
        <button
          type="button"
          class="ghost icon"
          aria-label="Attach images"
          title="Attach images"
          onClick={() => files.current?.click()}
        >
          <Icon name="image" />
        </button>
        {isRunning && view !== undefined && (
          <button type="button" class="button stop" onClick={() => stop(view)}>
            Stop
          </button>
        )}
        <button
          type="submit"
          class="button primary"
          disabled={client.value === undefined || isSending.value}
        >
          Send
        </button>
      </div>
    </form>
  );
}

function toInput({ text, images }: { text: string; images: readonly string[] }): UserInput[] {
  return [
    ...(text.trim() === "" ? [] : [{ type: "text" as const, text }]),
    ...images.map((url) => ({ type: "image" as const, url })),
  ];
}

function fitHeight(box: HTMLTextAreaElement): void {
  box.style.height = "auto";
  box.style.height = `${Math.min(box.scrollHeight, innerHeight * 0.4)}px`;
}
