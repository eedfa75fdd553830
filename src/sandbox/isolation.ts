import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Mount } from "./bubblewrap.js";

/** Returns the mounts that Node needs to run: its executable, the libraries that it has loaded, the loader. */
export function nodeMounts(executable: string = process.execPath): Mount[] {
  const libraries = loadedLibraries();
  const files = new Map([executable, ...libraries].map((path) => [path, path]));
  for (const library of libraries) {
    for (const alias of aliasesOf(library)) files.set(alias, library);
  }
  const loader = libraries.find((path) => /\/ld-[^/]+\.so/.test(path));
  for (const place of loaderPlaces) {
    if (loader === undefined || !existsSync(place)) continue;
    files.set(join(realpathSync(dirname(place)), basename(place)), loader);
  }
  if (existsSync(libraryCache)) files.set(libraryCache, libraryCache);
  return [
    ...["/lib", "/lib64"].flatMap((path): Mount[] =>
      lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()
        ? [{ as: "link", path, target: readlinkSync(path) }]
        : [],
    ),
    ...[...files].map(([path, source]): Mount => ({ as: "mask", path, source })),
  ];
}

/** Names under which programs ask the kernel for the loader. */
const loaderPlaces = [
  "/lib64/ld-linux-x86-64.so.2",
  "/lib/ld-linux-aarch64.so.1",
  "/lib/ld-musl-x86_64.so.1",
  "/lib/ld-musl-aarch64.so.1",
];

/** Names of the libraries in all folders, for the loader. */
const libraryCache = "/etc/ld.so.cache";

/** Libraries of this process, which is the same program, without native modules. */
function loadedLibraries(): string[] {
  const maps = readFileSync("/proc/self/maps", "utf8");
  const paths = [...maps.matchAll(/\s(\/\S+\.so[.\d]*)$/gm)].map(([, path]) => path ?? "");
  return [...new Set(paths)];
}

/** Other names of a library in its folder, such as `libm.so.6` of `libm.so.6.1`. */
function aliasesOf(library: string): string[] {
  const folder = dirname(library);
  const stem = basename(library).split(".so")[0] ?? "";
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${stem}.so`) && name !== basename(library))
    .map((name) => join(folder, name))
    .filter((path) => realpathSync(path) === library);
}
