// Builds the documentation as a static site in dist-site/; a link to a page that does not exist ends the build.
// VitePress finds Vue only beside the pages, so they are copied into this folder first.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const site = dirname(fileURLToPath(import.meta.url));
const root = join(site, "..");
const pages = join(site, "pages");

rmSync(pages, { recursive: true, force: true });
mkdirSync(pages);
cpSync(join(root, "README.md"), join(pages, "index.md"));
for (const path of ["docs", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]) {
  cpSync(join(root, path), join(pages, path), { recursive: true });
}
for (const folder of ["conformance", "examples"]) {
  cpSync(join(root, folder, "README.md"), join(pages, folder, "README.md"));
}
// Files that pages link to and that are no pages themselves.
cpSync(join(root, "docs/fleet"), join(pages, "public/docs/fleet"), { recursive: true });
const vitepress = join(site, "node_modules/vitepress/bin/vitepress.js");
execFileSync(process.execPath, [vitepress, "build"], { cwd: site, stdio: "inherit" });
