/** What a check of the doctor found. */
export interface Finding {
  status: "ok" | "warning" | "failed";
  /** What is so, in a few words, without anything secret. */
  detail: string;
  /** What to do about it; every finding that is not ok has one. */
  remedy?: string;
}

/** A check with its name, as it is shown. */
export interface Check extends Finding {
  name: string;
}

/** All is well. */
export function ok(detail: string): Finding {
  return { status: "ok", detail };
}

/** It works, but not as well as it could. */
export function warning(detail: string, remedy: string): Finding {
  return { status: "warning", detail, remedy };
}

/** It does not work. */
export function failed(detail: string, remedy: string): Finding {
  return { status: "failed", detail, remedy };
}
