/**
 * WHATWG URL, or null. Not `URL.canParse`: Node 20's refuses Latin-1 letters as
 * in `https://bücher.example` once V8 has compiled its caller.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
