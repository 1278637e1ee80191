import type { Answer, Instead } from '../../support/http-proxy.js';

/** What a mirror answers of an address instead of the honest answer. */
export type Lie = Instead<URL>;

export const isFeed = ({ pathname }: URL) => pathname.endsWith('/feed');
export const isContent = ({ pathname }: URL) => pathname.endsWith('/content');

export async function changed(
  honest: () => Promise<Answer>,
  change: (json: ReturnType<typeof JSON.parse>) => void,
): Promise<Answer> {
  const { status, body } = await honest();
  const json = JSON.parse(body);
  change(json);
  return { status, body: JSON.stringify(json) };
}

export const withoutTexts: Lie = (url, honest) => {
  if (isContent(url)) return { status: 404, body: '{"error":"not_found"}' };
  if (!isFeed(url)) return honest();
  return changed(honest, ({ entries }) => {
    for (const entry of entries) delete entry.content;
  });
};
