/** Takes the pairing code out of the address, so that it stays in no history. */
export function takeCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get("pair");
  if (code === null) return undefined;
  history.replaceState(null, "", location.pathname);
  return code;
}

/** Returns true if this browser is paired. Rejects if the server does not answer. */
export async function isPaired(): Promise<boolean> {
  const signal = AbortSignal.timeout(10_000);
  const response = await fetch("/device", { cache: "no-store", signal });
  const { device } = await response.json();
  return device !== null;
}

/** Pairs this browser; returns the problem for the user, or an empty text. */
export async function pair(code: string, name: string): Promise<string> {
  try {
    const response = await fetch("/pair", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code: code.trim(), name: name.trim() }),
    });
    return response.status === 204 ? "" : await response.text();
  } catch {
    return "The server does not answer. Check that it runs, then try again.";
  }
}

/** Returns a name for a device, such as `Chrome on Linux`. */
export function suggestedName(userAgent: string): string {
  const browser = /(Edg|Firefox|FxiOS|CriOS|Chrome|Safari)/.exec(userAgent)?.[1] ?? "Browser";
  const system = /\b(iPhone|iPad|Android|Windows|Mac OS X|Linux)\b/.exec(userAgent)?.[1];
  const shown = shownNames[browser] ?? browser;
  return system === undefined ? shown : `${shown} on ${system.replace(" OS X", "")}`;
}

const shownNames: Readonly<Record<string, string>> = {
  Edg: "Edge",
  FxiOS: "Firefox",
  CriOS: "Chrome",
};
