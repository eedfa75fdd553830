import type { ImageGenerationItem } from "./rpc/v2/item.js";

/** A generated picture in one line. */
export interface PictureText {
  status: "inProgress" | "completed" | "failed";
  /** The file, or the reason why there is none. */
  detail: string;
}

type Picture = {
  [Name in "savedPath" | "result"]?: ImageGenerationItem[Name] | null | undefined;
} & Pick<ImageGenerationItem, "status">;

/** Describes a generated picture for transcripts. */
export function pictureText({ status, savedPath, result }: Picture): PictureText {
  if (savedPath) return { status: "completed", detail: savedPath };
  if (status === "in_progress" || status === "generating") {
    return { status: "inProgress", detail: "a picture" };
  }
  return status === "completed" && result
    ? { status: "completed", detail: "a picture (not saved)" }
    : { status: "failed", detail: `no picture (${status})` };
}
