import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

/** Takes images that are dropped anywhere on the page; returns true while one is above it. */
export function useImageDrop(attach: (files: readonly File[]) => void): Signal<boolean> {
  const isAbove = useSignal(false);
  const current = useRef(attach);
  current.current = attach;
  useEffect(() => {
    const onDrag = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      isAbove.value = true;
    };
    const onLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) isAbove.value = false;
    };
    const onDrop = (event: DragEvent) => {
      isAbove.value = false;
      const images = imagesOf(event.dataTransfer);
      if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
      if (images.length > 0) current.current(images);
    };
    document.addEventListener("dragover", onDrag);
    document.addEventListener("dragleave", onLeave);
    document.addEventListener("drop", onDrop);
    return () => {
      document.removeEventListener("dragover", onDrag);
      document.removeEventListener("dragleave", onLeave);
      document.removeEventListener("drop", onDrop);
    };
  }, [isAbove]);
  return isAbove;
}

/** Returns the images that were pasted or dropped. */
export function imagesOf(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].filter(({ type }) => type.startsWith("image/"));
}

/** Reads an image as a `data:` URL. */
export async function readImage(file: File): Promise<string> {
  if (!/^image\/(?:png|jpeg|gif|webp)$/.test(file.type)) {
    throw new Error(`Expected a PNG, JPEG, GIF or WebP image (got ${file.type || file.name})`);
  }
  if (file.size > mostBytes) {
    throw new Error(`${file.name} has more than ${mostBytes / 1_000_000} MB; use a smaller image`);
  }
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new Error(`Cannot read ${file.name}`));
    reader.readAsDataURL(file);
  });
}

const mostBytes = 15_000_000;
