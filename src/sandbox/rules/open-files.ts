import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Returns true if a process or one of its descendants has a file open for writing. */
export function isWriting(firstProcess: number | undefined, path: string): boolean {
  if (firstProcess === undefined) return false;
  const queue = [firstProcess];
  for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
    if (hasOpenForWriting(pid, path)) return true;
    queue.push(...childrenOf(pid));
  }
  return false;
}

function hasOpenForWriting(pid: number, path: string): boolean {
  return entriesOf(`/proc/${pid}/fd`).some((descriptor) => {
    try {
      if (readlinkSync(`/proc/${pid}/fd/${descriptor}`) !== path) return false;
      const info = readFileSync(`/proc/${pid}/fdinfo/${descriptor}`, "latin1");
      return (Number.parseInt(/^flags:\s*(\d+)/m.exec(info)?.[1] ?? "0", 8) & 3) !== 0;
    } catch {
      return false;
    }
  });
}

function childrenOf(pid: number): number[] {
  return entriesOf(`/proc/${pid}/task`).flatMap((thread) => {
    try {
      const text = readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1");
      return text.split(" ").filter(Boolean).map(Number);
    } catch {
      return [];
    }
  });
}

function entriesOf(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
