import type { CommandAnswers } from '../../server/dashboard/all-commands.js';
import type { Relation } from '../../server/dashboard/commands/history.js';
import type { Item } from '../../server/dashboard/commands/item.js';
import type { NoteSeen } from '../../server/dashboard/commands/notes.js';
import { SubjectNote } from '../../server/db/entities/dashboard.js';
import { LIFTED_KEYS, publishSigned, register } from '../support/agent.js';
import { decideTo } from '../support/decide.js';
import { publish } from '../support/post.js';
import { randomUUID } from '../support/random.js';
import { rows } from '../support/rows.js';
import { until } from '../support/until.js';
import { Dashboard } from './dashboard.js';
import {
  done,
  givenOperators,
  reported,
  type SignedInOperator,
} from './operators.js';

describe('History and notes beside an item', () => {
  const { test, admin, moderator, viewer } = givenOperators({
    lifted: true,
    limits: LIFTED_KEYS,
  });

  // 3 to 5 one text and name, 6 the name alone, 7 and 8 one key and link.
  before(async () => {
    for (const body of ['Buy!', 'BUY! ', 'buy!', 'Hello.']) {
      await publish(test, { reply_to: 1, body, name: 'Seller' });
    }
    const agent = await register(test);
    for (const page of ['a', 'b']) {
      const body = `See https://shop.example/${page}`;
      await publishSigned(test, agent, { reply_to: 1, body });
    }
    await reported(test, 4);
    await reported(test, 4);
    const settled = await reported(test, 5);
    await decideTo.remove(test, 5, { reportIds: [settled] });
    await decideTo.reinstate(test, 5);
    await decideTo.remove(test, 8);
  });

  async function historyOf(subject: string): Promise<Map<string, Relation>> {
    const asked = viewer.ask('item.history', { subject });
    const { relations } = await done<CommandAnswers['item.history']>(asked);
    return new Map(relations.map((one) => [one.by, one]));
  }

  const ids = (relation?: Relation) =>
    relation?.data.map(({ message_id }) => message_id);

  it('shows what has the same text, name, key or link', async () => {
    const guest = await historyOf('message:3');
    expect([...guest.keys()]).to.deep.equal(['text', 'name']);
    expect(ids(guest.get('text'))).to.deep.equal([5, 4]);
    expect(ids(guest.get('name'))).to.deep.equal([6, 5, 4]);
    expect(guest.get('name')?.value).to.equal('Seller');
    const signed = await historyOf('message:7');
    expect([...signed.keys()]).to.include.members(['key', 'link']);
    expect(signed.get('link')).to.include({ value: 'shop.example', total: 0 });
  });

  it('counts decisions and reports by what became of them', async () => {
    const text = (await historyOf('message:3')).get('text');
    expect(text?.decisions).to.deep.equal({ remove: 1, reinstate: 1 });
    expect(text?.reports).to.deep.equal({
      ...{ received: 2, in_review: 0, resolved: 1, dismissed: 0 },
    });
    const [last, reportedOne] = text?.data ?? [];
    expect(last?.last_decision).to.include({ action: 'reinstate' });
    expect(reportedOne).to.include({ open_reports: 2, excerpt: 'BUY! ' });
  });

  it('keeps nothing of a removed text, and finds it by its key only', async () => {
    const signed = await historyOf('message:7');
    expect(ids(signed.get('key'))).to.deep.equal([8]);
    expect(signed.get('key')?.data[0]).to.include({
      ...{ author: null, title: null, excerpt: null, state: 'removed' },
    });
    expect([...(await historyOf('message:8')).keys()]).to.deep.equal(['key']);
    const asked = { subject: 'message:8', by: 'text' } as const;
    const answer = await viewer.ask('item.history', asked);
    expect(answer.body.error).to.equal('content_removed');
  });

  const notesOf = async (subject: string) =>
    (await done<Item>(viewer.ask('item.read', { subject }))).notes;

  it('has notes that stay with the message and are no part of the public', async () => {
    const note = 'Ask the author first.';
    const added = await done<NoteSeen>(
      moderator.ask('note.add', { subject: 'message:6', note }),
    );
    expect(added).to.include({ note, operator: 'Mo', mine: true });
    await decideTo.remove(test, 6);
    const [seen, ...others] = await notesOf('message:6');
    expect(others).to.deep.equal([]);
    expect(seen).to.include({ id: added.id, note, mine: false });
    for (const path of ['/api/moderation/6', '/api/thread/1', '/all.txt']) {
      const { text } = await test.as().get(path);
      expect(text, path).not.to.include(note);
    }
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
    const subject = 'message:4';
    const notes = Array.from({ length: 100 }, (_, at) => ({
      ...{
        id: randomUUID(),
        messageId: 4,
        note: 'A note.',
        operator: 'Mo',
        at,
      },
    }));
    await rows(test).insert(SubjectNote, notes);
    const answer = await moderator.ask('note.add', { subject, note: 'More.' });
    expect(answer.body).to.include({ error: 'invalid_input', field: 'note' });
  });

  it('hints at a note in every dashboard', async () => {
    const watching = new Dashboard(test, { cookie: viewer.cookie });
    try {
      await watching.settled();
      const subject = 'message:3';
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
