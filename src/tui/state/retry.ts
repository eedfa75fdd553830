/** The connection to the model was lost and is tried again. */
export interface Retry {
  /** When that was told, in milliseconds since 1970. */
  since: number;
  text: string;
  /** When it is tried again, where the server says it. */
  until: number | undefined;
}

/** Reads when the next try is from words such as `…; retrying 2/5 in 1.9s…`. */
export function readRetry(message: string, now: number): Retry {
  const told = /^(.*?;? ?retrying(?: \d+\/\d+)?) in ([\d.]+)(ms|s)\u2026?$/s.exec(message);
  if (told === null) return { since: now, text: message, until: undefined };
  const [, text = message, amount = "0", unit] = told;
  return { since: now, text, until: now + Number(amount) * (unit === "s" ? 1000 : 1) };
}

/** The wait as it is shown: how long it still takes, or for how long it lasts. */
export function retryText({ text, since, until }: Retry, now: number): string {
  const seconds = (ms: number) => `${Math.max(0, Math.ceil(ms / 1000))}s`;
  if (until === undefined) return `${text} (${seconds(now - since)} ago)`;
  return until > now ? `${text} in ${seconds(until - now)}` : `${text} now`;
}
