import { freshNetwork } from '../../../support/fresh-network.js';
import { filled, type Post, preview, publish } from '../../../support/post.js';
import { randomUUID } from '../../../support/random.js';
import {
  ballotTicket,
  castBallot,
  openPoll,
  SURVEY,
} from '../../polls/polling.js';
import { castRating, ratingTicket } from '../../votes/rating.js';
import { HOUR_MS, type Producers, type Scene } from './scene.js';

const PHRASE = 'black lives matter';

async function ticket({ a }: Scene, post: Post = {}, from = freshNetwork()) {
  return filled(await preview(a, post, from));
}

const send = ({ a }: Scene, body: object, from = freshNetwork()) =>
  a.as(from).post('/write/publish').send(body);

/** Publishes a preview with one thing changed. */
async function changed(scene: Scene, change: object) {
  return await send(scene, { ...(await ticket(scene)), ...change });
}

/** Publishes what was previewed before something else happened. */
async function after(
  scene: Scene,
  post: Post,
  happens: (from: string) => Promise<unknown>,
) {
  const from = freshNetwork();
  const previewed = await ticket(scene, post, from);
  await happens(from);
  return await send(scene, previewed, from);
}

/** Codes of the two steps of posting, and of votes and ballots. */
export const OF_POSTING = {
  ticket_invalid: (scene) => changed(scene, { ticket: 'x'.repeat(43) }),
  ticket_expired: (scene) =>
    after(scene, {}, async () => scene.clock.advance(HOUR_MS)),
  wrong_answer: (scene) => changed(scene, { answer: '1-wrong' }),
  challenge_locked: async (scene) => {
    const wrong = { ...(await ticket(scene)), answer: '1-wrong' };
    for (let n = 0; n < 4; n += 1) await send(scene, wrong);
    return await send(scene, wrong);
  },
  confirmation_required: (scene) => changed(scene, { confirm: 'no' }),
  poll_not_allowed_on_reply: ({ a, root }) =>
    preview(a, { reply_to: root, poll: SURVEY }, freshNetwork()),
  request_id_conflict: (scene) => {
    const request_id = randomUUID();
    return after(scene, { request_id }, () =>
      publish(scene.a, { request_id, body: 'Other.' }, freshNetwork()),
    );
  },
  network_changed: async (scene) => {
    const vote = { reply_to: scene.root, vote: 1 };
    return await send(scene, await ticket(scene, vote));
  },
  funnel_thread_changed: (scene) =>
    after(scene, { body: PHRASE }, () =>
      publish(scene.a, { body: PHRASE }, freshNetwork()),
    ),
  series_requires_reply: (scene) =>
    after(scene, { title: 'Weekly digest: 3' }, async () => {
      for (const n of [1, 2]) {
        await publish(scene.a, { title: `Weekly digest: ${n}` });
      }
    }),
  topic_budget_exhausted: (scene) =>
    after(scene, {}, async (from) => {
      for (let n = 0; n < 3; n += 1) await publish(scene.a, {}, from);
    }),
  already_voted: async ({ a, root }) => {
    const from = freshNetwork();
    const up = await ratingTicket(a, root, 1, from);
    const down = await ratingTicket(a, root, -1, from);
    await castRating(a, root, up, from);
    return await castRating(a, root, down, from);
  },
  poll_closed: async ({ a, clock }) => {
    const poll = { ...SURVEY, duration_hours: 24 };
    const { id } = await openPoll(a, poll, {}, freshNetwork());
    clock.advance(24 * HOUR_MS - 1000);
    const ballot = await ballotTicket(a, id, 'a');
    clock.advance(1000);
    return await castBallot(a, id, ballot);
  },
} satisfies Producers;
