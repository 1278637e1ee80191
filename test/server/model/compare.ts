import { expect } from 'chai';
import type { TestBoard } from '../../support/board.js';
import type { DumbBoard, DumbMessage } from './dumb-board.js';

type Shown = Record<string, unknown> & { id: number };

/** Everything that a reader can see of a run, against the dumb board. */
export async function compare(
  test: TestBoard,
  dumb: DumbBoard,
  start: number,
  token: string,
): Promise<void> {
  const visible = dumb.messages.filter((message) => !dumb.isHidden(message));
  expect(await updates(test, start, ''), 'updates').to.deep.equal(
    visible.map((message) => shown(dumb, message)),
  );
  expect(await updates(test, start, '&visibility=all')).to.deep.equal(
    dumb.messages.map((message) => shown(dumb, message)),
  );
  const roots = dumb.messages.filter(({ replyTo }) => replyTo === null);
  await compareTopics(test, dumb, roots, start);
  for (const root of roots.slice(0, 3)) await compareThread(test, dumb, root);
  const found = await test
    .as()
    .get(`/api/search?q=${token}&limit=100&visibility=all`)
    .expect(200);
  expect(found.body.data.map(({ id }: Shown) => id)).to.deep.equal(
    dumb.messages.map(({ id }) => id).reverse(),
  );
  for (const poll of dumb.polls) {
    const { body } = await test.as().get(`/api/polls/${poll.id}`).expect(200);
    const counts = poll.options.map(
      (_, at) => [...poll.ballots.values()].filter((b) => b === at).length,
    );
    expect(body.tally.counts).to.deep.equal(counts);
    expect(body.tally.voters).to.equal(poll.ballots.size);
    const open = test.clock.now() < poll.closesAt;
    expect(body.state).to.equal(open ? 'open' : 'closed');
  }
}

function shown(dumb: DumbBoard, message: DumbMessage) {
  const { id, rootId, replyTo, room, body, title, requestId } = message;
  return {
    id,
    root_id: rootId,
    reply_to: replyTo,
    room,
    body,
    ...(title === null ? {} : { title }),
    score: dumb.score(message),
    request_id: requestId,
  };
}

function seen(message: Shown) {
  const { id, root_id, reply_to, room, body, title, score, request_id } =
    message;
  return {
    id,
    root_id,
    reply_to,
    room,
    body,
    ...(title === undefined ? {} : { title }),
    score,
    request_id,
  };
}

async function updates(test: TestBoard, since: number, more: string) {
  const all: object[] = [];
  let cursor = since;
  for (;;) {
    const { body } = await test
      .as()
      .get(`/api/updates?since=${cursor}&limit=7&full=1${more}`)
      .expect(200);
    all.push(...body.data.map(seen));
    if (!body.has_more) return all;
    cursor = body.cursor;
  }
}

async function compareTopics(
  test: TestBoard,
  dumb: DumbBoard,
  roots: DumbMessage[],
  start: number,
): Promise<void> {
  const wanted = roots.filter(({ hidden }) => !hidden).map(({ id }) => id);
  const { body } = await test.as().get('/api/threads?limit=100').expect(200);
  const mine = body.data.filter(({ id }: Shown) => id > start);
  expect(mine.map(({ id }: Shown) => id)).to.deep.equal(wanted.reverse());
  for (const topic of mine) {
    const replies = dumb.messages.filter(
      ({ rootId, id }) => rootId === topic.id && id !== topic.id,
    );
    expect(topic.reply_count).to.equal(replies.length);
    expect(topic.last_reply_id).to.equal(replies.at(-1)?.id ?? null);
  }
}

async function compareThread(
  test: TestBoard,
  dumb: DumbBoard,
  root: DumbMessage,
): Promise<void> {
  const { body } = await test
    .as()
    .get(`/api/thread/${root.id}?limit=100&full=1`)
    .expect(200);
  expect(body.data.map(seen)).to.deep.equal(
    dumb.messages
      .filter(({ rootId }) => rootId === root.id)
      .map((message) => shown(dumb, message)),
  );
  expect(body.visibility.state).to.equal(
    root.hidden ? 'hidden_by_ratings' : 'visible',
  );
}
