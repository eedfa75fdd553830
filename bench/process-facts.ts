import { readdirSync, readFileSync } from "node:fs";

/** User and system time of a process so far, in milliseconds. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}

/** Resident memory of a process now, in MB. */
export function residentMb(pid: number): number {
  return statusMb(pid, "VmRSS");
}

/** Peak resident memory, in MB; unlike `maxRSS` it does not start with the parent's peak. */
export function peakMb(pid: number): number {
  return statusMb(pid, "VmHWM");
}

/** All processes that have this home, among them those that outlive the program they came from. */
export function processesIn(home: string): number[] {
  const setting = `CODEX_HOME=${home}`;
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && environmentOf(pid).includes(setting));
}

/** Ends all of them. */
export function endProcessesIn(home: string): void {
  for (const pid of processesIn(home)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // the process has already exited
    }
  }
}

/** Nothing where it ended meanwhile, or is not ours. */
function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return [];
  }
}

const msPerTick = 10;

function statusMb(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
}
