import { expect } from 'chai';
import type {
  History,
  NoteSeen,
  Relation,
} from '../../server/dashboard/schemas/scale-views.js';
import type { Item } from '../../server/dashboard/schemas/views.js';
import { LIFTED_KEYS, publishSigned, register } from '../support/agent.js';
import { startBoard, type TestBoard } from '../support/board.js';
import { checkLedger } from '../support/check-ledger.js';
import { decideTo } from '../support/decide.js';
import { LIFTED } from '../support/lifted.js';
import { publish } from '../support/post.js';
import { randomUUID } from '../support/random.js';
import { until } from '../support/until.js';
import { Dashboard } from './dashboard.js';
import {
  done,
  operator,
  reported,
  type SignedInOperator,
} from './operators.js';

describe('History and notes beside an item', () => {
  let test: TestBoard;
  let admin: SignedInOperator;
  let moderator: SignedInOperator;
  let viewer: SignedInOperator;

  // 2 to 4 one text and name, 5 the name alone, 6 and 7 one key and link.
  before(async () => {
    test = await startBoard({ limits: { ...LIFTED, ...LIFTED_KEYS } });
    admin = await operator(test, 'admin', 'Ada');
    moderator = await operator(test, 'moderator', 'Mo');
    viewer = await operator(test, 'viewer', 'Vi');
    await publish(test, { title: 'A topic' });
    for (const body of ['Buy!', 'BUY! ', 'buy!', 'Hello.']) {
      await publish(test, { reply_to: 1, body, name: 'Seller' });
    }
    const agent = await register(test);
    for (const page of ['a', 'b']) {
      const body = `See https://shop.example/${page}`;
      await publishSigned(test, agent, { reply_to: 1, body });
    }
    await reported(test, 3);
    await reported(test, 3);
    const settled = await reported(test, 4);
    await decideTo.remove(test, 4, { reportIds: [settled] });
    await decideTo.reinstate(test, 4);
    await decideTo.remove(test, 7);
  });

  after(async () => {
    await checkLedger(test);
    await test.stop();
  });

  async function historyOf(
    subject: string,
    more: { by?: Relation['by']; before?: number; limit?: number } = {},
  ): Promise<Map<string, Relation>> {
    const asked = viewer.ask('item.history', { subject, ...more });
    const { relations } = await done<History>(asked);
    return new Map(relations.map((one) => [one.by, one]));
  }

  const ids = (relation?: Relation) =>
    relation?.data.map(({ message_id }) => message_id);

  it('shows what has the same text, name, key or link', async () => {
    const guest = await historyOf('message:2');
    expect([...guest.keys()]).to.deep.equal(['text', 'name']);
    expect(ids(guest.get('text'))).to.deep.equal([4, 3]);
    expect(ids(guest.get('name'))).to.deep.equal([5, 4, 3]);
    expect(guest.get('name')?.value).to.equal('Seller');
    const signed = await historyOf('message:6');
    expect([...signed.keys()]).to.include.members(['key', 'link']);
    expect(signed.get('link')).to.include({ value: 'shop.example', total: 0 });
  });

  it('counts decisions and reports by what became of them', async () => {
    const text = (await historyOf('message:2')).get('text');
    expect(text?.decisions).to.deep.equal({ remove: 1, reinstate: 1 });
    expect(text?.reports).to.deep.equal({
      ...{ received: 2, in_review: 0, resolved: 1, dismissed: 0 },
    });
    const [last, reportedOne] = text?.data ?? [];
    expect(last?.last_decision).to.include({ action: 'reinstate' });
    expect(reportedOne).to.include({ open_reports: 2, excerpt: 'BUY! ' });
  });

  it('keeps nothing of a removed text, and finds it by its key only', async () => {
    const signed = await historyOf('message:6');
    expect(ids(signed.get('key'))).to.deep.equal([7]);
    expect(signed.get('key')?.data[0]).to.include({
      ...{ author: null, title: null, excerpt: null, state: 'removed' },
    });
    expect([...(await historyOf('message:7')).keys()]).to.deep.equal(['key']);
    const asked = { subject: 'message:7', by: 'text' } as const;
    const answer = await viewer.ask('item.history', asked);
    expect(answer.body.error).to.equal('content_removed');
  });

  it('is paged', async () => {
    const by = { by: 'name', limit: 2 } as const;
    const first = (await historyOf('message:2', by)).get('name');
    expect(ids(first)).to.deep.equal([5, 4]);
    const next = { ...by, before: first?.next ?? 0 };
    const second = (await historyOf('message:2', next)).get('name');
    expect(ids(second)).to.deep.equal([3]);
    expect(second).to.include({ total: 3, next: null });
  });

  const notesOf = async (subject: string) =>
    (await done<Item>(viewer.ask('item.read', { subject }))).notes;

  it('has notes that stay with the message and are no part of the public', async () => {
    const note = 'Ask the author first.';
    const added = await done<NoteSeen>(
      moderator.ask('note.add', { subject: 'message:5', note }),
    );
    expect(added).to.include({ note, operator: 'Mo', mine: true });
    await decideTo.remove(test, 5);
    const [seen, ...others] = await notesOf('message:5');
    expect(others).to.deep.equal([]);
    expect(seen).to.include({ id: added.id, note, mine: false });
    for (const path of ['/api/moderation/5', '/api/thread/1', '/all.txt']) {
      const { text } = await test.as().get(path);
      expect(text, path).not.to.include(note);
    }
    const refused = await viewer.ask('note.add', {
      subject: 'message:5',
      note,
    });
    expect(refused.status).to.equal(403);
  });

  it('removes an own note, or any for an admin', async () => {
    const subject = 'message:1';
    const add = async (by: SignedInOperator) =>
      await done<NoteSeen>(by.ask('note.add', { subject, note: 'A note.' }));
    const [own, other] = [await add(moderator), await add(admin)];
    const answer = await moderator.ask('note.remove', { id: other.id });
    expect(answer.status).to.equal(403);
    await done(moderator.ask('note.remove', { id: own.id }));
    expect((await notesOf(subject)).map(({ id }) => id)).to.deep.equal([
      other.id,
    ]);
    await done(admin.ask('note.remove', { id: other.id }));
    const gone = await admin.ask('note.remove', { id: randomUUID() });
    expect(gone.status).to.equal(404);
  });

  it('takes a hundred notes on a subject', async () => {
    const subject = 'message:3';
    await test.board.context.writes.query(
      `INSERT INTO subject_note (id, message_id, note, operator, at)
       SELECT gen_random_uuid(), 3, 'A note.', 'Mo', n
       FROM generate_series(1, 100) n`,
    );
    const answer = await moderator.ask('note.add', { subject, note: 'More.' });
    expect(answer.body).to.include({ error: 'invalid_input', field: 'note' });
  });

  it('hints at a note in every dashboard', async () => {
    const watching = new Dashboard(test, { cookie: viewer.cookie });
    try {
      await watching.settled();
      const subject = 'message:2';
      await done(moderator.ask('subject.claim', { subject }));
      await done(admin.ask('note.add', { subject, note: 'Look at this.' }));
      const hinted = () =>
        watching.of('report').find((event) => 'note_by' in event);
      await until('a note is hinted at', () => hinted() !== undefined);
      const event = { subject, claimed_by: 'Mo', note_by: 'Ada' };
      expect(hinted()).to.include(event);
      expect(JSON.stringify(watching.told)).not.to.include('Look at');
    } finally {
      watching.close();
    }
  });
});
