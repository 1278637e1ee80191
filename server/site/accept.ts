import type { IncomingMessage } from 'node:http';

/** Quality of each media range of an Accept header (RFC 9110 12.5.1). */
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

/**
 * What a client asked for by name: ranges such as `*` name nothing, so that a
 * page stays a page for whoever does not care.
 */
export function acceptedByName(
  req: IncomingMessage,
): 'html' | 'markdown' | 'json' | null {
  const accepted = qualities(req.headers.accept ?? '');
  const q = (...names: string[]) =>
    Math.max(0, ...names.map((name) => accepted.get(name) ?? 0));
  const html = q('text/html', 'application/xhtml+xml');
  const markdown = q('text/markdown', 'text/x-markdown');
  const json = q('application/json');
  const best = Math.max(html, markdown, json);
  if (best === 0) return null;
  // No browser names Markdown: who does can read it better than a page.
  if (markdown === best) return 'markdown';
  return html === best ? 'html' : 'json';
}
