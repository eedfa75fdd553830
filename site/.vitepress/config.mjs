import { readFileSync } from "node:fs";
import { sidebarOf } from "./sidebar.mjs";

const readme = readFileSync(new URL("../pages/index.md", import.meta.url), "utf8");

export default {
  title: "Quire",
  description: "The Codex agent system as a small, fast, embeddable library and program.",
  lang: "en",
  srcDir: "pages",
  outDir: "../dist-site",
  cleanUrls: true,
  // Files that are no pages: they are read in the repository, or served as they are (see build.mjs).
  ignoreDeadLinks: [/\/schema\//, /^LICENSE$/, /\/fleet\/Dockerfile$/],
  vite: { build: { chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    search: { provider: "local" },
    outline: { level: [2, 3] },
    sidebar: sidebarOf(readme),
  },
};
