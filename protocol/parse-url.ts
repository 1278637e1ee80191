/**
 * The URL of a text (WHATWG URL), or null for what is none.
 *
 * @NOTE not `URL.canParse`: that of Node 20 refuses addresses with Latin-1
 * letters such as `https://bücher.example` once V8 has compiled its caller.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
