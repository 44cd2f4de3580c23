import type { KeyField } from "../host/bindings";

/** Whether everything was typed that a key needs: one text, or every required part. */
export function isComplete(fields: readonly KeyField[], key: string, parts: Record<string, string>): boolean {
  if (fields.length === 0) return key.trim() !== "";
  return fields.every((field) => !field.required || (parts[field.name] ?? "").trim() !== "");
}

/** The key as it is sent: the text, or a JSON object of the parts that were typed. */
export function keyText(fields: readonly KeyField[], key: string, parts: Record<string, string>): string {
  if (fields.length === 0) return key.trim();
  const typed = fields.map((field) => [field.name, (parts[field.name] ?? "").trim()] as const);
  return JSON.stringify(Object.fromEntries(typed.filter(([, text]) => text !== "")));
}
