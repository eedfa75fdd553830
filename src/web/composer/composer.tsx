import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { UserInput } from "../../protocol/rpc/v2/user-input.js";
import { useFocusAfter } from "../lib/focus.js";
import { Icon } from "../lib/icon.js";
import { enqueue, reporting, send, stop } from "../state/actions.js";
import { client, openThreadId, openView } from "../state/app.js";
import { whenConnected } from "../state/connection.js";
import { Completions, useCompletion } from "./completion.js";
import { readDraft, restoredDraft, writeDraft } from "./drafts.js";
import { imagesOf, readImage, useImageDrop } from "./images.js";
import { Pickers } from "./pickers.js";
import { Queue, SentMessages } from "./queue.js";
import { readSlashCommand } from "./slash-commands.js";

/** Input of the user: text, and images by paste, drop or choice. */
export function Composer() {
  const box = useRef<HTMLTextAreaElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const threadId = openThreadId.value;
  const text = useSignal(readDraft(threadId));
  const images = useSignal<readonly string[]>([]);
  const isSending = useSignal(false);
  const isDropTarget = useImageDrop((dropped) => attach(dropped));
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
  const completion = useCompletion(text, change);
  const restored = restoredDraft.value;
  useEffect(() => {
    if (restored === undefined || restored.threadId !== threadId) return;
    restoredDraft.value = undefined;
    change([restored.text, text.value].filter((part) => part !== "").join("\n"));
    images.value = [...restored.images, ...images.value];
    box.current?.focus();
  }, [restored, threadId]);
  const attach = (added: readonly File[]) =>
    reporting(async () => {
      const urls = await Promise.all(added.map(readImage));
      images.value = [...images.value, ...urls];
    });
  /** Sends the message; while a turn runs it can be queued instead of added to the turn. */
  const submit = ({ isQueued = false } = {}) =>
    reporting(async () => {
      const isEmpty = text.value.trim() === "" && images.value.length === 0;
      if (isEmpty || isSending.value) return;
      const typed = images.value.length === 0 ? readSlashCommand(text.value) : undefined;
      if (typed !== undefined) {
        change("");
        typed.command.run(typed.text);
        return;
      }
      isSending.value = true;
      try {
        await whenConnected(); // until then the text stays where it is
      } finally {
        isSending.value = false;
      }
      const sent = { text: text.value, images: images.value };
      change("");
      images.value = [];
      const input = toInput(sent);
      const sending = isQueued && view !== undefined ? enqueue(view, input) : send(input);
      await sending.catch((error: unknown) => {
        change(text.value === "" ? sent.text : `${sent.text}\n${text.value}`);
        images.value = sent.images;
        throw error;
      });
    });
  return (
    <>
      {view !== undefined && <SentMessages view={view} />}
      {view !== undefined && (
        <Queue
          view={view}
          onEdit={(queued) => {
            change(text.value === "" ? queued : `${text.value}\n${queued}`);
            box.current?.focus();
          }}
        />
      )}
      <form
        class={`composer ${isDropTarget.value ? "drop-target" : ""}`}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
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
        <Completions list={completion} />
        <textarea
          ref={box}
          aria-label="Message"
          aria-autocomplete="list"
          aria-controls={completion.choices.length > 0 ? "completions" : undefined}
          aria-activedescendant={
            completion.choices.length > 0 ? `completion-${completion.chosen}` : undefined
          }
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
            const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey;
            if (isPlain && !isComposing(event) && completion.onKey(event.key)) {
              event.preventDefault();
              event.stopPropagation();
              return;
            }
            if (event.key !== "Enter" || event.shiftKey || isComposing(event)) return;
            event.preventDefault();
            void submit({ isQueued: isRunning && (event.ctrlKey || event.metaKey) });
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
          {isRunning && view !== undefined && <StopButton onStop={() => stop(view)} />}
          {isRunning && text.value.trim() !== "" && (
            <button
              type="button"
              class="button"
              title="Start a turn with it after this one (Ctrl/Cmd Enter)"
              onClick={() => void submit({ isQueued: true })}
            >
              Queue
            </button>
          )}
          <button
            type="submit"
            class="button primary"
            disabled={client.value === undefined || isSending.value}
          >
            <Icon name="send" />
            Send
          </button>
        </div>
      </form>
    </>
  );
}

function StopButton({ onStop }: { onStop(): void }) {
  const button = useRef<HTMLButtonElement>(null);
  useFocusAfter(button);
  return (
    <button
      ref={button}
      type="button"
      class="button stop"
      aria-keyshortcuts="Shift+Escape"
      onClick={onStop}
    >
      <Icon name="stop" />
      Stop
    </button>
  );
}

/** Returns true for keys of an input method; Safari marks the one that ends a composition by its code alone. */
function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
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
