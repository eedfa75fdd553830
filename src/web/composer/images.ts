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
