import { Author } from './author.js';
import { Connection } from './connection.js';
import { forSeconds, type LoadFigures } from './figures.js';
import { getRequest, placesOf } from './get.js';

export type MixLoad = {
  kind: 'mix';
  /** Clients are shared among the boards. */
  ports: number[];
  /** Read in this order, each client from a place of its own. */
  paths: string[];
  /** Reads of a client before each of its publishes. */
  readsPerPublish: number;
  clients: number;
  seconds: number;
  seed: number;
  from: number;
};

/**
 * Reads and publishes in a fixed proportion, so that what one of them costs on
 * average says the same however fast they are. A pair of preview and publish
 * counts as one.
 */
export async function mixLoad(load: MixLoad): Promise<LoadFigures> {
  const { ports, clients, seconds, readsPerPublish, seed, from } = load;
  const requests = load.paths.map(getRequest);
  const places = placesOf(clients, requests.length);
  const texts = { seed, from };
  const all = await Promise.all(
    Array.from({ length: clients }, async (_, n) => {
      const port = ports[n % ports.length] ?? 0;
      return {
        reader: await Connection.open(port),
        author: await Author.open(port, n, texts),
      };
    }),
  );
  try {
    return await forSeconds(clients, seconds, async (n, tally, until) => {
      let at = places[n] ?? 0;
      const read = async () => {
        const request = requests[at++ % requests.length];
        if (request === undefined) return false;
        return (await all[n]?.reader.request(request))?.status === 200;
      };
      for (let turn = 1; performance.now() < until; turn += 1) {
        const isRead = turn % (readsPerPublish + 1) !== 0;
        const begun = performance.now();
        const isGood = isRead ? await read() : await all[n]?.author.publish();
        if (isGood) tally.add(performance.now() - begun);
        else tally.fail();
      }
    });
  } finally {
    for (const { reader, author } of all) {
      reader.close();
      author.close();
    }
  }
}
