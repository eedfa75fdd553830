export declare function documentTypes(
  folder: string,
  schemas: Readonly<Record<string, unknown>>,
): void;
export declare function withComments(
  text: string,
  schemas: Readonly<Record<string, unknown>>,
): string;
