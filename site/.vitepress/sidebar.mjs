/**
 * Returns the navigation of the site, from the section "Documentation" of the README.
 *
 * The README is the one list of pages: a paragraph that ends with a colon is a group, its links are the entries.
 */
export function sidebarOf(readme) {
  const section = readme.split(/^## /m).find((part) => part.startsWith("Documentation\n")) ?? "";
  const groups = [];
  for (const line of section.split("\n")) {
    if (/^\S.*:$/.test(line)) groups.push({ text: line.slice(0, -1), items: [] });
    for (const [, text, path] of line.matchAll(/\[([^\]]+)\]\(([^)#]+\.md)\)/g)) {
      groups.at(-1)?.items.push({ text: text[0].toUpperCase() + text.slice(1), link: `/${path}` });
    }
  }
  return groups;
}
