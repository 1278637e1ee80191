import type { TestBoard } from '../../support/board.js';

export async function page(
  test: TestBoard,
  path: string,
  status = 200,
  from?: string,
) {
  const answer = await test
    .get(path, from)
    .set('Accept', 'text/html,*/*;q=0.8');
  expect(answer.status, `${path}: ${answer.text.slice(0, 300)}`).to.equal(
    status,
  );
  expect(answer.headers['content-type']).to.equal('text/html; charset=utf-8');
  return answer;
}

export async function mainOf(
  test: TestBoard,
  path: string,
  status = 200,
): Promise<string> {
  const { text } = await page(test, path, status);
  const [, main = ''] = text.split('<main id="main" tabindex="-1">');
  return main.split('</main>')[0] ?? '';
}

export function wordsOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');
}

export function linksOf(html: string): string[] {
  return [...html.matchAll(/<a [^>]*?href="([^"]*)"/g)].map((match) =>
    (match[1] ?? '').replaceAll('&amp;', '&'),
  );
}

export function shownIds(html: string): number[] {
  return [...html.matchAll(/<article [^>]*id="m(\d+)"/g)].map((match) =>
    Number(match[1]),
  );
}
