import type { Plugin } from "esbuild";

export declare const pureSchemas: Plugin;
export declare function markPure(source: string): string;
