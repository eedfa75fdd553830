/** A signal that follows others, until it is ended. */
export interface JoinedSignal {
  readonly signal: AbortSignal;
  /** Detaches it from the others; with a reason it is aborted too. */
  end(reason?: Error): void;
}

/**
 * Returns a signal that aborts with the first of several.
 *
 * `AbortSignal.any` leaves a reference at each of them, so that one that lives long grows with every call. Here nothing stays
 * behind after `end`, which the caller must call.
 */
export function joinSignals(...signals: readonly AbortSignal[]): JoinedSignal {
  const controller = new AbortController();
  const onAbort = () => {
    detach();
    controller.abort(signals.find(({ aborted }) => aborted)?.reason);
  };
  const detach = () => {
    for (const signal of signals) signal.removeEventListener("abort", onAbort);
  };
  for (const signal of signals) signal.addEventListener("abort", onAbort);
  if (signals.some(({ aborted }) => aborted)) onAbort();
  return {
    signal: controller.signal,
    end(reason) {
      detach();
      if (reason !== undefined) controller.abort(reason);
    },
  };
}

/** Runs some work with a signal that aborts with the first of several. */
export async function withSignals<Result>(
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { signal, end } = joinSignals(...signals);
  try {
    return await work(signal);
  } finally {
    end();
  }
}
