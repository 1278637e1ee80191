import { expect } from 'chai';
import { reasonsOf } from '../../../protocol/moderation.js';
import { operator } from '../../../test/admin/operators.js';
import { BASE_URL, type TestBoard } from '../../../test/support/board.js';
import { randomUUID } from '../../../test/support/random.js';
import type { Asker } from '../asker.js';
import type { Command } from './commands.js';
import { compare, compareMessage } from './compare.js';
import type { Wish } from './dumb-board.js';
import type { DumbReport } from './dumb-moderation.js';
import { address, expectSame, type Of, OPTIONS, pick, Scene } from './scene.js';

async function report(scene: Scene, it: Of<'report'>): Promise<void> {
  const message = pick(scene.dumb.messages, it.which);
  if (message === undefined) return;
  const filed: DumbReport = {
    requestId: randomUUID(),
    kind: it.appeal ? 'appeal' : 'report',
    messageId: message.id,
    at: scene.now,
    from: address(it.from),
    status: 'received',
  };
  const { requestId: request_id, kind, messageId: message_id } = filed;
  const body = { request_id, kind, message_id, reason: 'spam' };
  const got = await scene.asker.post('/api/reports', body, address(it.from));
  expectSame(got, { status: 201, code: 'received' });
  expect(got.body).to.include({ request_id, kind, message_id });
  scene.dumb.moderation.file(filed, message);
  expect(got.body.decision_url !== undefined).to.equal('repeats' in filed);
  scene.reported.push({ body, receipt: got.body });
}

async function repeatReport(
  scene: Scene,
  it: Of<'repeat report'>,
): Promise<void> {
  const one = pick(scene.reported, it.which);
  if (one === undefined) return;
  const body = it.change ? { ...one.body, detail: 'other' } : one.body;
  const got = await scene.asker.post('/api/reports', body, address(it.from));
  if (it.change) {
    expectSame(got, { status: 409, code: 'request_id_conflict' });
    return;
  }
  expectSame(got, { status: 200, code: 'received' });
  expect(got.body).to.deep.equal(one.receipt);
}

async function decide(scene: Scene, it: Of<'decide'>): Promise<void> {
  const { moderation, messages } = scene.dumb;
  const message = pick(messages, it.which);
  if (message === undefined) return;
  const { action } = it;
  const wanted = moderation.judged(message, action);
  const supersedes = moderation.undone(message, action);
  const settled = it.settles
    ? moderation.open(message.id).map(({ requestId }) => requestId)
    : [];
  const asked = {
    ...{ action, id: message.id, explanation: 'Why not.' },
    reason: reasonsOf(action)[0],
    ...(settled.length === 0 ? {} : { report_ids: settled }),
  };
  // A session of its own: the clock of a run goes on by hours.
  const { cookie, alias } = await operator(scene.test, 'moderator');
  const headers = { Cookie: cookie, Origin: BASE_URL };
  const path = '/admin/api/do/decision.record';
  const got = await scene.asker.post(path, asked, undefined, headers);
  expect(got.status, got.text).to.equal(wanted.status);
  if (wanted.status !== 200) {
    expect(got.body.error).to.equal(wanted.code);
    return;
  }
  const { stays_hidden: _, ...shown } = got.body.decision;
  expect(shown).to.include({ action, supersedes, operator: alias });
  moderation.decide(message, { action, at: scene.now, shown }, settled);
}

async function look(scene: Scene, it: Of<'look'>): Promise<void> {
  const message = pick(scene.dumb.messages, it.which);
  const receipt = scene.receipts.get(message?.id ?? 0);
  if (message === undefined || receipt === undefined) return;
  await compareMessage(scene.asker, scene.dumb, message, receipt);
}

const HOUR_MS = 3_600_000;
const POLL_MS = 24 * HOUR_MS;
/** A used ticket answers for so long after its ten minutes. */
const TICKET_MS = 24 * HOUR_MS;

async function topic(scene: Scene, it: Of<'topic'>): Promise<void> {
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

async function reply(scene: Scene, it: Of<'reply'>): Promise<void> {
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

async function retry(scene: Scene, it: Of<'retry'>): Promise<void> {
  const wish = pick(scene.sent, it.which);
  if (wish === undefined) return;
  const again = it.change ? { ...wish, body: 'other' } : wish;
  await publish(scene, again, it.from, false);
}

/** The same ticket has the same receipt, also after a removal. */
async function again(scene: Scene, it: Of<'again'>): Promise<void> {
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

async function rate(scene: Scene, it: Of<'rate'>): Promise<void> {
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

async function ballot(scene: Scene, it: Of<'ballot'>): Promise<void> {
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

type Steps = {
  [Name in Command['do']]: (scene: Scene, it: Of<Name>) => Promise<void>;
};

const STEPS: Steps = {
  ...{ topic, reply, retry, again, rate, ballot, report, decide, look },
  'repeat report': repeatReport,
  compare,
  advance: async ({ test }, { minutes }) => {
    test.clock.advance(minutes * 60_000);
  },
};

/** One run on both. @throws Error at the first difference, with its request. */
export async function run(
  test: TestBoard,
  asker: Asker,
  list: readonly Command[],
): Promise<void> {
  const { body } = await asker.get('/api/threads');
  const scene = new Scene(test, asker, body.cursor);
  try {
    for (const command of list) await step(scene, command);
    await compare(scene);
  } catch (error) {
    throw new Error(`${String(error)}\n${asker.told}`, { cause: error });
  }
}

async function step<Name extends Command['do']>(
  scene: Scene,
  command: Of<Name> & { do: Name },
): Promise<void> {
  await STEPS[command.do](scene, command);
}
