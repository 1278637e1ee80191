import type { IncomingMessage } from 'node:http';

/** By media range (RFC 9110 12.5.1). */
function qualities(header: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const range of header.toLowerCase().split(',').slice(0, 32)) {
    const [name = '', ...parameters] = range.split(';').map((s) => s.trim());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    const value = q === undefined ? 1 : Number(q.slice(2));
    found.set(name, Number.isFinite(value) ? value : 0);
  }
  return found;
}

/** Ignores ranges such as `*`, so that pages stay the default. */
export function acceptedByName(
  req: IncomingMessage,
): 'html' | 'markdown' | 'json' | 'text' | null {
  const accepted = qualities(req.headers.accept ?? '');
  const q = (...names: string[]) =>
    Math.max(0, ...names.map((name) => accepted.get(name) ?? 0));
  const html = q('text/html', 'application/xhtml+xml');
  const markdown = q('text/markdown', 'text/x-markdown');
  const json = q('application/json');
  const text = q('text/plain');
  const best = Math.max(html, markdown, json, text);
  if (best === 0) return null;
  // No browser names Markdown.
  if (markdown === best) return 'markdown';
  if (html === best) return 'html';
  return json === best ? 'json' : 'text';
}

const GZIP = /(?:^|,)\s*gzip\s*(?:;\s*q=(?<q>[0-9.]{1,5})\s*)?(?:,|$)/i;

/** RFC 9110 12.5.3 */
export function takesGzip({ headers }: IncomingMessage): boolean {
  const header = String(headers['accept-encoding'] ?? '').slice(0, 1000);
  const found = GZIP.exec(header);
  return found !== null && Number(found.groups?.q ?? 1) > 0;
}
