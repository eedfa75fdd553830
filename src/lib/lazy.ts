/** A value that is created on first use; every call returns the same one. */
export interface Lazy<T> {
  (): T;
  /** The value, or `undefined` if it was never needed. */
  readonly created: T | undefined;
}

/** Defers `create` to the first call. If it throws, the next call tries again. */
export function lazy<T>(create: () => T): Lazy<T> {
  let slot: { value: T } | undefined;
  const get = () => {
    slot ??= { value: create() };
    return slot.value;
  };
  return Object.defineProperty(get, "created", { get: () => slot?.value }) as Lazy<T>;
}
