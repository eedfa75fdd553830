import { expect, test } from "vitest";
import {
  dangerousListOf2025,
  dangerousListOf2026,
  dangerousMatch,
  latestDangerousList,
  splitWords,
} from "../../../src/shell/index.js";

test.each([
  ["rm -rf /", "ForcedRm", "ForcedRm"],
  ["rm -r -f x", undefined, "ForcedRm"],
  ["rm -fr x", undefined, "ForcedRm"],
  ["rm --force x", undefined, "ForcedRm"],
  ["rm -r x", undefined, undefined],
  ["rm -- -f", undefined, undefined],
  ["/bin/rm -rf x", "ForcedRm", "ForcedRm"],
  ["sudo rm -rf x", "ForcedRm", "ForcedRm"],
  ["env -i A=1 rm -rf x", undefined, "ForcedRm"],
  ["env -- rm -f x", undefined, "ForcedRm"],
  ["trap 'rm -rf x' EXIT", undefined, "ForcedRm"],
  ["trap - EXIT", undefined, undefined],
  ["git reset --hard", "Other", undefined],
  ["git -C sub reset", "Other", undefined],
  ["git checkout reset", undefined, undefined],
  ["git branch -vD x", "Other", undefined],
  ["git push origin :x", "Other", undefined],
  ["git push --force-with-lease=x", "Other", undefined],
  ["git push origin main", undefined, undefined],
  ["git clean -xdf", "Other", undefined],
  ["git clean -n", undefined, undefined],
  ["ls", undefined, undefined],
])("%s is %s in 2026 and %s later", (line, in2026, latest) => {
  const argv = splitWords(line) ?? [];

  expect(dangerousMatch(argv, dangerousListOf2025, "linux")).toBeUndefined();
  expect(dangerousMatch(argv, dangerousListOf2026, "linux")).toBe(in2026);
  expect(dangerousMatch(argv, latestDangerousList, "linux")).toBe(latest);
});

test.each([
  ["ls && rm -rf *", "ForcedRm"],
  ["rm -rf ~/x", "ForcedRm"],
  ['for f in a b; do rm -rf "$f"; done', undefined],
  ["echo 'rm -rf /'", undefined],
])("inside a script, %s is %s in 2026", (script, match) => {
  expect(dangerousMatch(["bash", "-lc", script], dangerousListOf2026, "linux")).toBe(match);
});

test.each([
  "rm -rf *",
  'for f in a b; do rm -rf "$f"; done',
  'echo "$(rm -rf x)"',
  "cat <(rm -f x)",
  "f() { rm -rf x; }; f",
  "if true; then sudo rm -f x; fi",
  "bash -c 'rm -rf x'",
  "x=$(bash -c 'rm -rf y')",
  "cat <<EOF\n$(rm -rf x)\nEOF",
  "rm -rf x >/dev/null 2>&1 &",
])("the latest list finds a forced rm in %j", (script) => {
  expect(dangerousMatch(["bash", "-lc", script], latestDangerousList, "linux")).toBe("ForcedRm");
});

test("a command wrapped too often to be honest is dangerous", () => {
  const argv = [...Array(9).fill("env"), "ls"];

  expect(dangerousMatch(argv, latestDangerousList, "linux")).toBe("Other");
  expect(dangerousMatch(argv.slice(1), latestDangerousList, "linux")).toBeUndefined();
});

test.each([
  [["powershell", "-Command", "Start-Process 'HTTPS://example.com'"], true],
  [["powershell", "-Command", "Start-Process notepad.exe"], false],
  [["pwsh", "-c", "if ($true) { Remove-Item x -Force}"], true],
  [["pwsh", "-c", "Remove-Item x; ls -Force"], false],
  [["cmd", "/c", "echo hi&&del /f x"], true],
  [["cmd", "/c", "rd", "/s", "/q", "x"], true],
  [["cmd", "/c", "rd", "/s", "x"], false],
  [["cmd.exe", "/c", "start", "https://example.com"], true],
  [["rundll32.exe", "url.dll,FileProtocolHandler", "https://example.com"], true],
  [["C:\\Program Files\\chrome.exe", "https://example.com"], true],
  [["explorer.exe", "."], false],
])("on Windows %j is dangerous: %s", (argv, dangerous) => {
  expect(dangerousMatch(argv, latestDangerousList, "win32") !== undefined).toBe(dangerous);
  expect(dangerousMatch(argv, latestDangerousList, "linux")).toBeUndefined();
});
