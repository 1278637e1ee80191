import { Author } from './author.js';
import { forSeconds, type LoadFigures } from './figures.js';

export type PublishLoad = {
  kind: 'publish';
  port: number;
  clients: number;
  seconds: number;
  /** Texts are those of messages from this number on. */
  seed: number;
  from: number;
};

/** Preview and publish, over and over; the time is that of the pair. */
export async function publishLoad(load: PublishLoad): Promise<LoadFigures> {
  const { port, clients, seconds, seed, from } = load;
  const texts = { seed, from };
  const authors = await Promise.all(
    Array.from({ length: clients }, (_, n) => Author.open(port, n, texts)),
  );
  try {
    return await forSeconds(clients, seconds, async (n, tally, until) => {
      while (performance.now() < until) {
        const begun = performance.now();
        const isPublished = await authors[n]?.publish();
        if (isPublished) tally.add(performance.now() - begun);
        else tally.fail();
      }
    });
  } finally {
    for (const author of authors) author.close();
  }
}
