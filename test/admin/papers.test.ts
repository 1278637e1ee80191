import type { CommandAnswers } from '../../server/dashboard/all-commands.js';
import type { Template } from '../../server/dashboard/commands/templates-and-views.js';
import type { UsefulnessSeen } from '../../server/dashboard/commands/usefulness.js';
import { DecisionTemplate } from '../../server/db/entities/decision.js';
import { UsefulnessReport } from '../../server/db/entities/stats.js';
import { publish } from '../support/post.js';
import { rows } from '../support/rows.js';
import {
  done,
  givenOperators,
  operator,
  type SignedInOperator,
} from './operators.js';

describe("The operators' papers", () => {
  const { test, admin, moderator, viewer } = givenOperators();

  before(() => publish(test, { title: 'A question', room: 'questions' }));
  before(() => publish(test, { reply_to: 3 }));

  const templates = () =>
    done<{ data: Template[] }>(viewer.ask('template.list', {}));
  const download = (who: SignedInOperator, path: string) =>
    test.as().get(`/admin/api/do/${path}`).set('Cookie', who.cookie);

  it('exports decisions as filtered, and no formula', async () => {
    const say = (explanation: string) =>
      ({ action: 'keep', reason: 'within_rules', explanation }) as const;
    await done(
      moderator.ask('decision.record', {
        ...say('=HYPERLINK("http://evil.test")'),
        id: 1,
        private_note: 'For us.',
      }),
    );
    await done(admin.ask('decision.record', { ...say('Fine.'), id: 2 }));
    const csv = await download(viewer, 'decisions?format=csv');
    expect(csv.headers['content-disposition']).to.include('decisions.csv');
    expect(csv.text.trim().split('\r\n')).to.have.length(3);
    expect(csv.text).to.include(`"'=HYPERLINK(""http://evil.test"")"`);
    const json = await download(viewer, 'decisions?operator=Mo');
    const { data } = JSON.parse(json.text);
    expect(data).to.have.length(1);
    expect(data[0]).to.include({ operator: 'Mo', private_note: 'For us.' });
    await download(viewer, 'decisions?format=xml').expect(400);
    await test.as().get('/admin/api/do/decisions').expect(401);
    for (const path of ['/api/moderation', '/api/moderation/1', '/all.txt']) {
      const { text } = await test.as().get(path);
      expect(text, path).not.to.include('For us.');
    }
    const list = (more: { before?: number }) =>
      done<{ data: { id: number }[]; next: number | null }>(
        viewer.ask('decision.list', { limit: 1, ...more }),
      );
    const [first, second] = [await list({}), await list({ before: 2 })];
    expect(first.data.map(({ id }) => id)).to.deep.equal([2]);
    expect(second.data.map(({ id }) => id)).to.deep.equal([1]);
    expect([first.next, second.next]).to.deep.equal([2, null]);
  });

  it('finds names by their beginning, and what one of them posted', async () => {
    for (const [n, name] of ['Fern', 'fergus', 'Fern'].entries()) {
      await publish(test, { reply_to: 3, name }, `203.0.113.${n}`);
    }
    type Found = CommandAnswers['board.find'];
    const find = (input: { q: string; author?: true }) =>
      done<Found>(viewer.ask('board.find', input));
    expect((await find({ q: 'FER' })).authors).to.deep.equal([
      { author: 'Fern', messages: 2 },
      { author: 'fergus', messages: 1 },
    ]);
    const { messages } = await find({ q: 'Fern', author: true });
    const [newest] = messages;
    expect(messages).to.have.length(2);
    expect(newest?.id).to.be.above(messages[1]?.id ?? 0);
    const title = 'A question';
    expect(newest).to.include({ root_id: 3, title, author: 'Fern' });
    expect(newest?.excerpt).to.be.a('string');
    expect(newest?.at).to.be.at.most(test.clock.now());
  });

  it('keeps templates whose placeholders are to be filled', async () => {
    const all = await templates();
    expect(all.data.length).to.be.at.least(5);
    const mine = {
      name: 'Spam',
      action: 'remove',
      reason: 'spam',
      explanation: 'Posted {{n}} times in {{ rooms }}, {{n}}.',
    } as const;
    const saved = await done<Template>(moderator.ask('template.save', mine));
    expect(saved.placeholders).to.deep.equal(['n', 'rooms']);
    const now = await templates();
    expect(now.data).to.have.length(all.data.length);
    await moderator.ask('template.save', { ...mine, seen: null }).expect(409);
    await done(moderator.ask('template.remove', { name: 'Spam' }));
    await moderator.ask('template.remove', { name: 'Spam' }).expect(404);
  });

  it('has room for two hundred saved templates', async () => {
    const saved = Array.from({ length: 199 }, (_, n) => ({
      ...({ name: `No. ${n + 1}`, action: 'keep', reason: 'other' } as const),
      ...{ explanation: 'It stays.', updatedAt: 0, updatedBy: 'x' },
    }));
    await rows(test).insert(DecisionTemplate, saved);
    const { data } = await templates();
    const former = data.find(({ name }) => name === 'No. 1');
    expect(former).to.include({ reason: 'within_rules' });
    const wording = {
      action: 'keep',
      reason: 'within_rules',
      explanation: 'It stays here.',
    } as const;
    const save = (name: string) =>
      moderator.ask('template.save', { name, ...wording });
    await done(save('No. 200'));
    const { body } = await save('No. 201').expect(400);
    expect([body.field, body.detail]).to.deep.equal([
      ...['name', '200 templates are saved; remove one first.'],
    ]);
    await done(save('No. 200'));
    await done(moderator.ask('template.remove', { name: 'No. 7' }));
    await done(save('No. 201'));
  });

  it('drafts, previews exactly and publishes a usefulness report for ever', async () => {
    test.clock.advance(86_400_000);
    const publisher = await operator(test, 'admin');
    const drafter = await operator(test, 'moderator', 'Moira');
    const reader = await operator(test, 'viewer');
    const period = { from: '2026-01-15', to: '2026-01-16' };
    const draft = await done<UsefulnessSeen>(
      drafter.ask('usefulness.draft', period),
    );
    expect(draft).to.include({ published_at: null, operator: 'Moira' });
    const counted = { topics: 2, questions: 1, answered_questions: 1 };
    expect(Object(draft.metrics).content).to.include(counted);
    const { id } = draft;
    const note = 'One question, one answer.';
    const again = { ...period, id, note };
    test.clock.advance(1);
    await done(drafter.ask('usefulness.draft', again));
    const first = { id, seen: draft.changed_at };
    for (const name of ['preview', 'publish', 'discard'] as const) {
      const { body } = await publisher.ask(`usefulness.${name}`, first);
      expect(body.error, name).to.equal('decision_conflict');
      expect(body.current.note, name).to.equal(note);
    }
    const shown = await done(publisher.ask('usefulness.preview', { id }));
    const made = await done(publisher.ask('usefulness.publish', { id }));
    expect(made).to.deep.equal(shown);
    const { body } = await test.as().get('/api/usefulness');
    expect(body.reports).to.deep.equal([made]);
    for (const [name, input] of [
      ['usefulness.publish', { id }],
      ['usefulness.draft', again],
    ] as const) {
      const late = await publisher.ask(name, input as never);
      expect(late.status, name).to.equal(409);
      expect(late.body.current).to.deep.equal(made);
    }
    for (const silent of [
      () => rows(test).update(UsefulnessReport, { id }, { note: 'Else.' }),
      () => rows(test).delete(UsefulnessReport, { id }),
    ]) {
      const { code } = await silent().then(Object, (thrown: Error) => thrown);
      expect(code).to.equal('23000');
    }
    const csv = await download(reader, `usefulness/${id}?format=csv`);
    expect(csv.headers['content-type']).to.equal('text/csv; charset=utf-8');
    expect(csv.text).to.include('metrics.content.answered_questions,1\r\n');
    const json = await download(reader, `usefulness/${id}`);
    expect(JSON.parse(json.text)).to.deep.equal(made);
    await download(reader, 'usefulness/9').expect(404);
  });
});
