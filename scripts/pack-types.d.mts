/** Packs the declarations below `types`; `entries` are the files that the doors name. */
export function packTypes(options: { types: string; entries: string[]; typebox: string }): void;
