import { randomUUID } from 'node:crypto';
import { messageText } from '../corpus/message.js';
import { forSeconds, type LoadFigures } from './figures.js';
import { Poster } from './post.js';

export type PublishLoad = {
  kind: 'publish';
  port: number;
  clients: number;
  seconds: number;
  /** Texts are those of messages from this number on. */
  seed: number;
  from: number;
};

/** Replies after each topic, as on public boards: 201 topics, 923 replies. */
const MESSAGES_PER_TOPIC = 6;

/** Preview and publish, over and over; the time is that of the pair. */
export async function publishLoad(load: PublishLoad): Promise<LoadFigures> {
  const { clients, seconds, seed } = load;
  let next = load.from;
  const posters = await openPosters(load.port, clients);
  try {
    return await forSeconds(clients, seconds, async (n, tally, until) => {
      let root: number | null = null;
      for (let turn = 0; performance.now() < until; turn += 1) {
        const isTopic = turn % MESSAGES_PER_TOPIC === 0;
        const { title, body } = messageText(seed, next++);
        const begun = performance.now();
        const result = await posters[n]?.twoSteps(
          {
            path: '/write/preview',
            body: {
              request_id: randomUUID(),
              body,
              ...(isTopic || root === null ? { title } : { reply_to: root }),
            },
          },
          '/write/publish',
        );
        if (result?.status !== 201) {
          tally.fail();
          continue;
        }
        tally.add(performance.now() - begun);
        const { id } = result.answer.message as { id: number };
        if (isTopic) root = id;
      }
    });
  } finally {
    for (const poster of posters) poster.close();
  }
}

function openPosters(port: number, clients: number): Promise<Poster[]> {
  return Promise.all(
    Array.from({ length: clients }, (_, n) =>
      Poster.open(port, () => `198.51.100.${n % 250}`),
    ),
  );
}
