import { type Environment, variable } from "./issuer.js";

/** The machine on which a page is to be opened. */
export interface Desktop {
  platform: NodeJS.Platform;
  env: Environment;
}

/**
 * Opens a page in the user's browser; false when there is none to be found.
 *
 * Never fails and waits for nothing: whoever calls it shows the address as well.
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

/** No shell is asked: an address is an argument, whatever stands in it. */
function browserCommand(url: string, { platform, env }: Desktop): Command | undefined {
  if (!/^https?:\/\//.test(url)) return undefined;
  switch (platform) {
    case "darwin":
      return ["open", url];
    case "win32":
      return ["rundll32", "url.dll,FileProtocolHandler", url];
    default:
      // Without a screen a text browser would fight for the terminal.
      return screenVariables.some((name) => variable(env, name)) ? ["xdg-open", url] : undefined;
  }
}

type Command = [program: string, ...args: string[]];

const screenVariables = ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "WSL_DISTRO_NAME"];
