import { expect } from 'chai';
import type { Asker } from '../asker.js';
import type { DumbBoard, DumbMessage } from './dumb-board.js';
import type { Scene } from './scene.js';

type Shown = Record<string, unknown> & { id: number };

export async function compare(scene: Scene): Promise<void> {
  const { asker, dumb, start, token, now } = scene;
  const visible = dumb.messages.filter((message) => !dumb.isHidden(message));
  expect(await updates(asker, start, ''), 'updates').to.deep.equal(
    visible.map((message) => shown(dumb, message)),
  );
  expect(await updates(asker, start, '&visibility=all')).to.deep.equal(
    dumb.messages.map((message) => shown(dumb, message)),
  );
  const roots = dumb.messages.filter(({ replyTo }) => replyTo === null);
  await compareTopics(asker, dumb, roots, start);
  for (const root of roots.slice(0, 3)) await compareThread(asker, dumb, root);
  const found = await asker.get(
    `/api/search?q=${token}&limit=100&visibility=all`,
  );
  expect(found.body.data.map(({ id }: Shown) => id)).to.deep.equal(
    dumb.messages
      .filter(({ removed }) => !removed)
      .map(({ id }) => id)
      .reverse(),
  );
  for (const poll of dumb.polls) {
    const { body } = await asker.get(`/api/polls/${poll.id}`);
    const counts = poll.options.map(
      (_, at) => [...poll.ballots.values()].filter((b) => b === at).length,
    );
    expect(body.tally.counts).to.deep.equal(counts);
    expect(body.tally.voters).to.equal(poll.ballots.size);
    expect(body.state).to.equal(dumb.isOpen(poll, now) ? 'open' : 'closed');
  }
}

export async function compareMessage(
  asker: Asker,
  dumb: DumbBoard,
  message: DumbMessage,
  receipt: object,
): Promise<void> {
  const { id, removed, requestId, decisions, visibility } = message;
  const read = await asker.get(`/api/messages/${id}?full=1`);
  expect(read.status).to.equal(removed ? 404 : 200);
  if (!removed) expect(seen(read.body)).to.deep.equal(shown(dumb, message));
  const request = await asker.get(`/api/requests/${requestId}`);
  expect(request.body.receipt).to.deep.equal(receipt);
  expect(seen(request.body)).to.deep.equal(shown(dumb, message));
  const moderation = await asker.get(`/api/moderation/${id}`);
  expect(moderation.body.decisions).to.deep.equal(
    decisions.map((decision) => decision.shown),
  );
  const state = visibility === 'restored_by_decision' ? 'restored' : visibility;
  expect(moderation.body.state).to.equal(removed ? 'removed' : state);
  for (const report of dumb.moderation.of(id)) {
    const { body } = await asker.get(`/api/reports/${report.requestId}`);
    expect(body.status).to.equal(report.status);
  }
}

function shown(dumb: DumbBoard, message: DumbMessage) {
  const { id, rootId, replyTo, room, body, title, requestId } = message;
  const place = { id, root_id: rootId, reply_to: replyTo, room };
  if (message.removed) return { ...place, removed: true };
  return {
    ...place,
    body,
    ...(title === null ? {} : { title }),
    score: dumb.score(message),
    request_id: requestId,
  };
}

function seen(message: Shown) {
  const { id, root_id, reply_to, room, body, title, score, request_id } =
    message;
  const place = { id, root_id, reply_to, room };
  if (message.removed === true) return { ...place, removed: true };
  return {
    ...place,
    body,
    ...(title === undefined ? {} : { title }),
    score,
    request_id,
  };
}

async function updates(asker: Asker, since: number, more: string) {
  const all: object[] = [];
  let cursor = since;
  for (;;) {
    const path = `/api/updates?since=${cursor}&limit=7&full=1${more}`;
    const { body } = await asker.get(path);
    all.push(...body.data.map(seen));
    if (!body.has_more) return all;
    cursor = body.cursor;
  }
}

/** Removed topics are listed with all visibilities only, as tombstones. */
async function compareTopics(
  asker: Asker,
  dumb: DumbBoard,
  roots: DumbMessage[],
  start: number,
): Promise<void> {
  const listed = async (more: string): Promise<Shown[]> => {
    const { body } = await asker.get(`/api/threads?limit=100${more}`);
    return body.data.filter(({ id }: Shown) => id > start).reverse();
  };
  const ids = (list: readonly { id: number }[]) => list.map(({ id }) => id);
  const wanted = roots.filter((root) => !root.removed && !dumb.isHidden(root));
  const mine = await listed('');
  expect(ids(mine)).to.deep.equal(ids(wanted));
  expect(ids(await listed('&visibility=all'))).to.deep.equal(ids(roots));
  mine.forEach((topic, at) => {
    const root = wanted[at];
    if (root === undefined) return;
    const replies = dumb.replies(root);
    expect(topic.reply_count).to.equal(replies.length);
    expect(topic.last_reply_id).to.equal(replies.at(-1)?.id ?? null);
  });
}

async function compareThread(
  asker: Asker,
  dumb: DumbBoard,
  root: DumbMessage,
): Promise<void> {
  const { body } = await asker.get(`/api/thread/${root.id}?limit=100&full=1`);
  expect(body.data.map(seen)).to.deep.equal(
    dumb.messages
      .filter(({ rootId }) => rootId === root.id)
      .map((message) => shown(dumb, message)),
  );
  expect(body.visibility).to.include({
    state: dumb.isHidden(root) ? 'hidden_by_ratings' : 'visible',
    opening_score: dumb.score(root),
  });
}
