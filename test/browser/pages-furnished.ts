import { LIFTED_KEYS, publishSigned, register } from '../support/agent.js';
import {
  startBoard,
  type TestBoard,
  type TestBoardOptions,
} from '../support/board.js';
import { decideTo } from '../support/decide.js';
import { LIFTED } from '../support/lifted.js';
import { filled, publish } from '../support/post.js';
import { randomUUID } from '../support/random.js';
import { CONTENT } from './pages-content.js';
import { mirroredBoard } from './pages-mirrored.js';

const MINUTE_MS = 60_000;
const LONG_THREAD = 130;

export type Furnished = {
  test: TestBoard;
  /** Root of each topic by its key. */
  roots: ReadonlyMap<string, number>;
  /** A removed reply. */
  removed: number;
  /** The last message of a thread of several pages. */
  last: { root_id: number; id: number };
  /** A thread of another board. */
  foreign: number;
  stop(): Promise<void>;
};

/** A board with something of everything on it. */
export async function furnishedBoard(
  options: TestBoardOptions = {},
): Promise<Furnished> {
  const limits = { ...LIFTED, ...LIFTED_KEYS, ...options.limits };
  const test = await startBoard({ ...options, limits });
  const roots = new Map<string, number>();
  const agent = await register(test);
  for (const { key, replies = [], ...topic } of CONTENT) {
    test.clock.advance(7 * MINUTE_MS);
    const signed = key === 'blocks' || key === 'rtl';
    const receipt = signed
      ? await publishSigned(test, agent, topic)
      : await publish(test, topic);
    const root = receipt.message.id;
    roots.set(key, root);
    if (receipt.poll !== undefined) {
      await cast(test, receipt.poll as { id: number }, topic.poll as object);
    }
    let parent = root;
    for (const reply of replies) {
      test.clock.advance(3 * MINUTE_MS);
      const answer = await publish(test, { ...reply, reply_to: parent });
      parent = answer.message.id;
    }
  }
  const rootOf = (key: string) => roots.get(key) ?? 0;
  await rate(test, rootOf('blocks'), 1, 5);
  await rate(test, rootOf('plain'), 1, 2);
  await rate(test, rootOf('hidden'), -1, 3);
  const bad = { name: 'seller', body: 'Cheap.', reply_to: rootOf('blocks') };
  const removed = (await publish(test, bad)).message.id;
  const explanation = 'The same advertisement in three threads.';
  await decideTo.remove(test, removed, { reason: 'advertising', explanation });
  await decideTo.remove(test, rootOf('spam'), { explanation: 'No content.' });
  await decideTo.hide(test, rootOf('quiet'), {
    reason: 'other',
    explanation: 'Taken for a copy of an older question.',
  });
  await decideTo.restore(test, rootOf('quiet'), {
    reason: 'other',
    explanation: 'It asks something new: cursors per thread, not per board.',
  });
  const last = await longThread(test);
  const { peer, root: foreign } = await mirroredBoard(test);
  const stop = async () => {
    await peer.stop();
    await test.stop();
  };
  return { test, roots, removed, last, foreign, stop };
}

async function longThread(test: TestBoard): Promise<Furnished['last']> {
  const { message } = await publish(test, {
    room: 'workshop',
    title: 'A log of small steps',
    name: 'stepper',
    body: 'One step a message.',
  });
  let last = message;
  for (let step = 1; step < LONG_THREAD; step += 1) {
    test.clock.advance(MINUTE_MS);
    const body = `Step ${step}: as before, one further.`;
    const reply = { name: 'stepper', body, reply_to: message.id };
    last = (await publish(test, reply)).message;
  }
  return last;
}

async function rate(
  test: TestBoard,
  id: number,
  vote: number,
  networks: number,
): Promise<void> {
  const path = `/api/messages/${id}/votes`;
  for (let n = 1; n <= networks; n += 1) {
    const as = () => test.as(`198.51.100.${n}`);
    const previewed = await as().post(`${path}/preview`).send({ vote });
    await as().post(path).send(filled(previewed)).expect(201);
  }
}

/** Seven ballots of seven networks, most of them for the third option. */
async function cast(
  test: TestBoard,
  { id }: { id: number },
  poll: { options?: string[] },
): Promise<void> {
  const { options = ['support', 'oppose', 'abstain'] } = poll;
  for (let n = 0; n < 7; n += 1) {
    const option = options[n < 4 ? 2 : n % 3];
    const as = () => test.as(`198.51.100.${n + 1}`);
    const path = `/api/polls/${id}/votes`;
    const ballot = { option, request_id: randomUUID() };
    const previewed = await as().post(`${path}/preview`).send(ballot);
    await as().post(path).send(filled(previewed)).expect(201);
  }
}
