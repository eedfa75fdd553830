/** Result of a check. */
export interface Finding {
  status: "ok" | "warning" | "failed";
  /** Short description without secrets. */
  detail: string;
  /** Remedy; set unless the status is `ok`. */
  remedy?: string;
}

/** A named check. */
export interface Check extends Finding {
  name: string;
}

/** Reports success. */
export function ok(detail: string): Finding {
  return { status: "ok", detail };
}

/** Reports a limitation. */
export function warning(detail: string, remedy: string): Finding {
  return { status: "warning", detail, remedy };
}

/** Reports a failure. */
export function failed(detail: string, remedy: string): Finding {
  return { status: "failed", detail, remedy };
}
