/** Bytes of a base64 text. */
export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** Base64 of a text as UTF-8. */
export function toBase64(text: string): string {
  let letters = "";
  for (const byte of new TextEncoder().encode(text)) letters += String.fromCharCode(byte);
  return btoa(letters);
}
