import { type Environment, variable } from "./issuer.js";

/** Platform and environment of the browser. */
export interface Desktop {
  platform: NodeJS.Platform;
  env: Environment;
}

/**
 * Opens a page in the user's browser; resolves with false if there is none.
 *
 * Never rejects and does not wait for the browser: the caller also prints the URL.
 */
export async function openBrowser(url: string, desktop: Desktop): Promise<boolean> {
  const command = browserCommand(url, desktop);
  if (command === undefined) return false;
  const { spawn } = await import("node:child_process");
  const [program, ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      env: { ...desktop.env },
      stdio: "ignore",
      detached: true,
      windowsHide: true,
    });
    child.once("error", () => resolve(false));
    child.once("spawn", () => resolve(true));
    child.unref();
  });
}

/** Returns the command, which runs without a shell, so the URL needs no escaping. */
function browserCommand(url: string, { platform, env }: Desktop): Command | undefined {
  if (!/^https?:\/\//.test(url)) return undefined;
  switch (platform) {
    case "darwin":
      return ["open", url];
    case "win32":
      return ["rundll32", "url.dll,FileProtocolHandler", url];
    default:
      // Without a display, a text browser would take over the terminal.
      return screenVariables.some((name) => variable(env, name)) ? ["xdg-open", url] : undefined;
  }
}

type Command = [program: string, ...args: string[]];

const screenVariables = ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "WSL_DISTRO_NAME"];
