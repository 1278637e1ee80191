import { randomUUID } from 'node:crypto';
import { messageText } from '../corpus/message.js';
import { Connection } from './connection.js';
import { forSeconds, type LoadFigures, walks } from './figures.js';
import { getRequest } from './get.js';
import { Poster } from './post.js';

export type PublishLoad = {
  kind: 'publish';
  /** Clients are shared among the boards. */
  ports: number[];
  clients: number;
  seconds: number;
  /** Texts are those of messages from this number on; all clients share them. */
  seed: number;
  from: number;
  /** In a fixed proportion, so that the average cost says the same. */
  reads?: { paths: string[]; perPublish: number };
  /** Where one request does it, without a preview. */
  oneStep?: string;
};

/** Replies after each topic, as on public boards: 201 topics, 923 replies. */
const MESSAGES_PER_TOPIC = 6;

/** Preview and publish as one, each client on a network of its own. */
export function publishLoad(load: PublishLoad): Promise<LoadFigures> {
  const { ports, clients, seconds, seed, from } = load;
  const { paths, perPublish } = load.reads ?? { paths: [], perPublish: 0 };
  const requests = walks(
    paths.map((path) => getRequest(path)),
    clients,
  );
  const texts = { seed, next: from };
  return forSeconds(seconds, clients, async (n) => {
    const port = ports[n % ports.length] ?? 0;
    const reader = perPublish > 0 ? await Connection.open(port) : null;
    const poster = await Poster.open(port, () => `198.51.100.${n % 250}`);
    const publish = author(poster, texts, load.oneStep);
    const request = requests[n] as () => Buffer;
    let turn = 0;
    return {
      next: async () => {
        turn += 1;
        if (reader === null || turn % (perPublish + 1) === 0) {
          return await publish();
        }
        return (await reader.request(request())).status === 200;
      },
      close: () => {
        reader?.close();
        poster.close();
      },
    };
  });
}

function author(
  poster: Poster,
  texts: { seed: number; next: number },
  oneStep?: string,
) {
  let turn = 0;
  let root: number | null = null;
  return async (): Promise<boolean> => {
    const isTopic = turn++ % MESSAGES_PER_TOPIC === 0;
    const { title, body } = messageText(texts.seed, texts.next++);
    const about = isTopic || root === null ? { title } : { reply_to: root };
    const { status, answer } =
      oneStep === undefined
        ? await poster.twoSteps(
            {
              path: '/write/preview',
              body: { request_id: randomUUID(), body, ...about },
            },
            '/write/publish',
          )
        : await poster.post(oneStep, { body, ...about });
    if (status !== 201) return false;
    const made = (answer.message ?? answer) as { id: number };
    if (isTopic) root = made.id;
    return true;
  };
}
