import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns the folders of the packages in a bundle, from esbuild's metafiles.
 *
 * A package inside another one's `node_modules` is listed separately.
 */
export function bundledPackages(metafiles) {
  const folders = metafiles.flatMap(({ inputs }) => Object.keys(inputs)).flatMap(packageFolder);
  return [...new Set(folders)].sort();
}

function packageFolder(path) {
  const found = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path);
  return found === null ? [] : [found[0]];
}

/** Returns the text of a notices file: name, version and license of each package. */
export function noticesText(root, folders) {
  const notices = folders.map((folder) => notice(join(root, folder)));
  return [
    "Quire contains code of the packages below, each under its own license.\n",
    ...[...new Set(notices)].sort(),
  ].join(`\n${"-".repeat(80)}\n\n`);
}

function notice(folder) {
  const { name, version, license, author } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  if (typeof license !== "string") throw new Error(`${folder} names no license in package.json`);
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)(\.|$)/i.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), "utf8").trim());
  const owner = typeof author === "string" ? author : author?.name;
  const missing = `The package contains no license text. Author: ${owner ?? "not stated"}`;
  const text = texts.length === 0 ? missing : texts.join("\n\n");
  return `${name} ${version}\nLicense: ${license}\n\n${text}\n`;
}
