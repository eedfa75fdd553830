/** Something the program says about itself or the conversation. */
export interface Notice {
  level: "info" | "warning" | "error";
  text: string;
  /** What to do about it. */
  hint?: string;
}
