const TAG_OR_SIGN = /<[^<>"]*(?:"[^<"]*"[^<>"]*)*>|>/g;

/**
 * The HTML with each `>` of its texts escaped, as bodies have it: the renderer
 * leaves them, and whoever looks for an escaped `<b>` looks for `&lt;b&gt;`.
 *
 * MUST be given what has `<` escaped everywhere but in tags, and `"` too.
 */
export function allEscaped(html: string): string {
  return html.replace(TAG_OR_SIGN, (found) => (found === '>' ? '&gt;' : found));
}
