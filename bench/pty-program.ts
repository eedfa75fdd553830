import { LeftOut } from "./figure.js";

/** A program on a pseudo-terminal of 100 by 40. */
export interface PtyProgram {
  pid: number;
  write(text: string): void;
  /** Waits until it has written this since something was last written to it. */
  until(text: string): Promise<void>;
  close(): void;
}

/** Starts a program on a terminal that answers its queries. */
export async function openPty(
  [file = "", ...args]: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<PtyProgram> {
  const pty = await import("@lydell/node-pty").catch(() => {
    throw new LeftOut("@lydell/node-pty is not installed");
  });
  const child = pty.spawn(file, args, { cols: 100, rows: 40, cwd, env });
  let seen = "";
  let wake = () => {};
  child.onData((data: string) => {
    seen = (seen + data).slice(-20_000);
    for (const [question, answer] of answers) if (data.includes(question)) child.write(answer);
    wake();
  });
  return {
    pid: child.pid,
    write(text) {
      seen = "";
      child.write(text);
    },
    async until(text) {
      const end = performance.now() + longestWaitMs;
      while (!seen.includes(text)) {
        const left = end - performance.now();
        if (left <= 0) throw new Error(`${JSON.stringify(text)} did not come to the terminal`);
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, left).unref();
        });
      }
    },
    close: () => child.kill("SIGKILL"),
  };
}

/** A program that shows nothing by then shows nothing. */
const longestWaitMs = 20_000;

/** Answers to queries for the cursor position, the features, the keyboard protocol and the colors. */
const answers: readonly (readonly [string, string])[] = [
  ["\x1b[6n", "\x1b[1;1R"],
  ["\x1b[c", "\x1b[?62;c"],
  ["\x1b[?u", "\x1b[?0u"],
  ["\x1b]10;?", "\x1b]10;rgb:ffff/ffff/ffff\x1b\\"],
  ["\x1b]11;?", "\x1b]11;rgb:0000/0000/0000\x1b\\"],
];
