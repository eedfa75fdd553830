export declare function documentTypes(
  folder: string,
  modules: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
): void;
export declare function withFields(
  text: string,
  schemas: Readonly<Record<string, unknown>>,
): string;
export declare function withComments(
  text: string,
  schemas: Readonly<Record<string, unknown>>,
): string;
