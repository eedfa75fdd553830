/**
 * Waits for what was sent to leave, for as long as the peer goes on reading it.
 *
 * A peer that takes nothing for a while is given up: it must not keep a server from stopping.
 */
export async function whileLeaving(
  left: Promise<void>,
  { backlog, giveUp, stallMs = 5000 }: Leaving,
): Promise<void> {
  let seen = backlog();
  const timer = setInterval(() => {
    const now = backlog();
    if (now >= seen) giveUp();
    seen = now;
  }, stallMs).unref();
  await left;
  clearInterval(timer);
}

/** How much still waits, and what is done with a peer that reads none of it for `stallMs`. */
interface Leaving {
  backlog(): number;
  giveUp(): void;
  stallMs?: number;
}
