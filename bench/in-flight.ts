/** Does some work so many times, never more than `width` at once. */
export async function inFlight(
  width: number,
  count: number,
  work: () => Promise<void>,
): Promise<void> {
  let left = count;
  const lane = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: width }, lane));
}
