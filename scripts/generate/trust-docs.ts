import { readFileSync } from "node:fs";
import { type ProjectContent, projectContents } from "../../src/config/project/trust-gate.js";

const path = "docs/approvals-and-sandbox.md";
const start = "<!-- trust table -->\n";
const end = "<!-- end of the trust table -->";

/** Writes the trust table of `docs/approvals-and-sandbox.md`. */
export function writeTrustDocs(): [path: string, content: string] {
  const text = readFileSync(path, "utf8");
  const [before, rest] = text.split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${path} has no trust table`);
  return [path, [before, start, trustTable(), "\n", end, after].join("")];
}

function trustTable(): string {
  const rows = Object.values<ProjectContent>(projectContents).map(({ where, from, limits }) => {
    const cells = levels.map((level) => (from.includes(level) ? "yes" : "no"));
    return `| ${where} | ${cells.join(" | ")} | ${limits} |`;
  });
  const titles = "| a project brings | trusted | unknown | untrusted | what of it counts |";
  return [titles, "| --- | --- | --- | --- | --- |", ...rows].join("\n");
}

const levels = ["trusted", undefined, "untrusted"] as const;
