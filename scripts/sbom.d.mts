export function sbomText(root: string, folders: readonly string[]): string;
