import { expect } from 'chai';
import { randomUUID } from '../../../test/support/random.js';
import type { Wish } from './dumb-board.js';
import {
  address,
  expectSame,
  type Of,
  OPTIONS,
  pick,
  type Scene,
} from './scene.js';

const HOUR_MS = 3_600_000;
const POLL_MS = 24 * HOUR_MS;
/** A used ticket answers for so long after its ten minutes. */
const TICKET_MS = 24 * HOUR_MS;

export async function topic(scene: Scene, it: Of<'topic'>): Promise<void> {
  const wish: Wish = {
    requestId: randomUUID(),
    body: `${scene.token} ${it.text}`,
    title: `T${it.text}`,
    room: it.room,
  };
  const rootId = await publish(scene, wish, it.from, it.poll);
  if (!it.poll || rootId === undefined) return;
  const { body } = await scene.asker.get(`/api/polls?root_id=${rootId}`);
  const [{ id, closes_at }] = body.data;
  const closesAt = Date.parse(closes_at);
  const state = { voided: false, ballots: new Map<string, number>() };
  scene.dumb.polls.push({ id, rootId, options: OPTIONS, closesAt, ...state });
  const least = scene.now + POLL_MS - 1000;
  expect(closesAt).to.be.within(least, least + 2000);
}

export async function reply(scene: Scene, it: Of<'reply'>): Promise<void> {
  const parent = pick(scene.dumb.messages, it.to);
  if (parent === undefined) return;
  const wish: Wish = {
    requestId: randomUUID(),
    body: `${scene.token} ${it.text}`,
    replyTo: parent.id,
    ...(it.vote === 0 ? {} : { vote: it.vote }),
  };
  const before = parent.votes.get(address(it.from));
  const id = await publish(scene, wish, it.from, false);
  if (id === undefined || it.vote === 0) return;
  const status = before === undefined ? 'published' : 'already_voted';
  expect(scene.receipts.get(id)).to.deep.include({
    vote: {
      message_id: parent.id,
      vote: before ?? it.vote,
      score: scene.dumb.score(parent),
      status,
    },
  });
}

export async function retry(scene: Scene, it: Of<'retry'>): Promise<void> {
  const wish = pick(scene.sent, it.which);
  if (wish === undefined) return;
  const again = it.change ? { ...wish, body: 'other' } : wish;
  await publish(scene, again, it.from, false);
}

/** Whatever became of it meanwhile, the same ticket has the same receipt. */
export async function again(scene: Scene, it: Of<'again'>): Promise<void> {
  const { dumb } = scene;
  const live = scene.accepted.filter(({ at }) => scene.now - at < TICKET_MS);
  const one = pick(live, it.which);
  if (one === undefined) return;
  const { path, body, answer } = one;
  const isPost = path === '/write/publish';
  // A ticket with a vote is of one network alone.
  const from = isPost ? it.from : one.from;
  const got = await scene.asker.post(path, body, address(from));
  const [, id] = /^\/api\/polls\/(\d+)/.exec(path) ?? [];
  const poll = dumb.polls.find((each) => each.id === Number(id));
  if (poll !== undefined && dumb.find(poll.rootId)?.removed) {
    expectSame(got, { status: 404, code: 'poll_not_found' });
    return;
  }
  const code = isPost ? 'already_published' : 'already_voted';
  expectSame(got, { status: 200, code });
  if (isPost) expect(got.body).to.deep.equal({ ...answer, status: code });
}

export async function rate(scene: Scene, it: Of<'rate'>): Promise<void> {
  const { dumb } = scene;
  const message = pick(dumb.messages, it.which);
  if (message === undefined) return;
  const wanted = dumb.rate(message, address(it.from), it.vote);
  const path = `/api/messages/${message.id}/votes`;
  const got = await scene.twoSteps(path, { vote: it.vote }, it.from);
  expectSame(got, wanted);
  if (wanted.status > 201) return;
  expect(got.body).to.deep.include({
    message_id: message.id,
    vote: it.vote,
    score: dumb.score(message),
  });
}

export async function ballot(scene: Scene, it: Of<'ballot'>): Promise<void> {
  const { dumb, now } = scene;
  const poll = pick(dumb.polls, it.which);
  if (poll === undefined) return;
  const wanted = dumb.ballot(poll, address(it.from), it.option, now);
  const path = `/api/polls/${poll.id}/votes`;
  const asked = { option: OPTIONS[it.option], request_id: randomUUID() };
  const got = await scene.twoSteps(path, asked, it.from);
  expectSame(got, wanted);
  if (wanted.status > 201) return;
  expect(got.body.tally.voters).to.equal(poll.ballots.size);
}

/** The ID of a new message; undefined when it is none. */
async function publish(
  scene: Scene,
  wish: Wish,
  from: number,
  withPoll: boolean,
): Promise<number | undefined> {
  const wanted = scene.dumb.publish(wish, address(from));
  const { requestId, replyTo, ...fields } = wish;
  const isNew = wanted.status === 201;
  // A poll is part of what a retry repeats, so polled topics are not retried.
  if (isNew && !withPoll) scene.sent.push(wish);
  const poll = { question: 'Which?', options: OPTIONS, duration_hours: 24 };
  const asked = {
    ...fields,
    request_id: requestId,
    ...(replyTo === undefined ? {} : { reply_to: replyTo }),
    ...(withPoll ? { poll } : {}),
  };
  const got = await scene.twoSteps('/write/preview', asked, from);
  expectSame(got, wanted);
  const { id } = wanted;
  if (id === undefined) return undefined;
  if (isNew) scene.receipts.set(id, got.body);
  expect(got.body.message.id).to.equal(id);
  const first = scene.receipts.get(id);
  expect(got.body).to.deep.equal({ ...first, status: wanted.code });
  return isNew ? id : undefined;
}
