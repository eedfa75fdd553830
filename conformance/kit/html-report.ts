import { LEVEL_SUMMARY, type Level } from "./levels.js";
import { escapeMarkup } from "./markup.js";
import type { KitReport, KitResult } from "./report.js";

/** Formats a run as one HTML file without scripts or other files. */
export function htmlReport(report: KitReport): string {
  const { program, passed, seconds, levels, results } = report;
  const sections = (Object.keys(levels) as Level[]).map((level) => section(level, report));
  const failed = results.filter(({ status }) => status === "failed").length;
  const verdict = passed ? "Passed" : `Failed: ${failed} of ${results.length} traces differ`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Conformance of ${escapeMarkup(program.join(" "))}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Conformance</h1>
<p><code>${escapeMarkup(program.join(" "))}</code></p>
<p class="${passed ? "passed" : "failed"}">${verdict}, in ${seconds.toFixed(1)} s.</p>
${sections.join("\n")}
</body>
</html>
`;
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; vertical-align: top; padding: .25rem .5rem; border-bottom: 1px solid #8884; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; }
.passed { color: light-dark(#17652f, #7fd89a); }
.failed { color: light-dark(#a31515, #ff9d9d); }
`;

function section(level: Level, { levels, results }: KitReport): string {
  const { passed = 0, total = 0 } = levels[level] ?? {};
  const rows = results.filter((result) => result.level === level).map(row);
  return `<h2 id="${level}">${level}: ${passed} of ${total}</h2>
<p>${LEVEL_SUMMARY[level]}</p>
<table>
<thead><tr><th scope="col">Trace</th><th scope="col">Version</th><th scope="col">Result</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>`;
}

function row({ group, name, version, status, differences }: KitResult): string {
  const text = escapeMarkup(differences.join("\n"));
  const details =
    differences.length === 0
      ? status
      : `<details><summary>${status}</summary><pre>${text}</pre></details>`;
  return `<tr><td>${escapeMarkup(`${group}/${name}`)}</td><td>${escapeMarkup(version)}</td><td class="${status.replace(" ", "-")}">${details}</td></tr>`;
}
