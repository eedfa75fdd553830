/** The last name of a path; the path itself when it has none, such as `..`. */
export function fileNameOf(path: string): string {
  const last = path.split("/").findLast((name) => name !== "" && name !== ".");
  return last === undefined || last === ".." ? path : last;
}
