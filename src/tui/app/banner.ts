import type { TuiHost } from "../host.js";
import { permissionsText, shortHome } from "../lines/footer.js";
import type { BannerCell } from "../state/cell.js";
import type { Status } from "../state/status.js";

const titles = { start: "", resume: " · resumed", fork: " · forked" };

/** What stands above a conversation. */
export function threadBanner(
  { settings, threadName }: Status,
  how: keyof typeof titles,
  { title }: TuiHost,
): BannerCell {
  const lines: [string, string][] = [["", `${title}${titles[how]}`]];
  if (threadName !== undefined) lines.push(["name", threadName]);
  if (settings !== undefined) {
    lines.push(["model", [settings.model, settings.effort].filter(Boolean).join(" ")]);
    lines.push(["folder", shortHome(settings.cwd)]);
    lines.push(["permissions", `${permissionsText(settings)} (/permissions to change)`]);
  }
  return { kind: "banner", lines };
}
