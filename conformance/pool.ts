/** Runs a job for each item, at most `limit` at a time, and returns the results in the items' order. */
export async function runPool<Item, Result>(
  items: Item[],
  limit: number,
  job: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  const queue = items.entries();
  async function work(): Promise<void> {
    for (const [index, item] of queue) results[index] = await job(item);
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}

/** Makes a function that runs jobs one after the other, in the order they were given. */
export function oneAtATime(): <Result>(job: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (job) => {
    const next = last.then(job, job);
    last = next.catch(() => {});
    return next;
  };
}
