/** Packs the declarations below `types`; `entries` are the files named in the package exports. */
export function packTypes(options: { types: string; entries: string[]; typebox: string }): void;
