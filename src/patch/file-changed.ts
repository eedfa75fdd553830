/** Thrown when a file or its folder is no longer what the patch was checked against. */
export class FileChanged extends Error {}
