/** TLS settings beyond the certificates that the system trusts, as PEM. */
export interface ClientTls {
  /** Authorities to trust instead of the system's, or the server's own certificate. */
  ca?: string;
  /** Name on the certificate, if it is not the host of the address. */
  servername?: string;
}

/** Resolved options for a transport: the token was read, and there is always a signal. */
export interface DialOptions {
  token: string | undefined;
  tls: ClientTls | undefined;
  signal: AbortSignal;
}

/** Waits for a connection; cancels it if it fails or the signal aborts first. */
export async function whileDialing<T>(
  signal: AbortSignal,
  cancel: () => void,
  work: () => Promise<T>,
): Promise<T> {
  if (signal.aborted) cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await work();
  } catch (error) {
    cancel();
    throw error;
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
