import { isRecord } from "../../protocol/read/check.js";

/** Returns the expected type if a value does not have it. */
export type FieldCheck = (value: unknown) => string | undefined;

/** Types of script fields. */
export const text: FieldCheck = (value) => unless(typeof value === "string", "text");
export const flag: FieldCheck = (value) => unless(value === true, "true");
export const anything: FieldCheck = () => undefined;
export const object: FieldCheck = (value) => unless(isRecord(value), "an object");
export const textMap: FieldCheck = (value) =>
  unless(isRecord(value) && Object.values(value).every(isText), "an object of texts");
export const texts: FieldCheck = (value) => unless(isTextList(value), "a list of texts");
export const textOrTexts: FieldCheck = (value) =>
  unless(isText(value) || isTextList(value), "text or a list of texts");
export const textsOrCount: FieldCheck = (value) =>
  unless(isTextList(value) || isCount(value), "a list of texts or a number above 0");
export const milliseconds: FieldCheck = (value) =>
  unless(typeof value === "number" && value >= 0 && value <= 2 ** 31 - 1, "milliseconds");
export const count: FieldCheck = (value) => unless(value === 0 || isCount(value), "a whole number");
export const httpStatus: FieldCheck = (value) =>
  unless(isCount(value) && value >= 200 && value <= 599, "an HTTP status from 200 to 599");

function unless(fits: boolean, wanted: string): string | undefined {
  return fits ? undefined : wanted;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
