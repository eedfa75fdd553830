/** The part of esbuild's metafile that is used. */
export interface Metafile {
  inputs: Record<string, unknown>;
}

/** Returns the folders of the packages in a bundle, from esbuild's metafiles. */
export function bundledPackages(metafiles: readonly Metafile[]): string[];

/** Returns the text of a notices file: name, version and license of each package. */
export function noticesText(root: string, folders: readonly string[]): string;
