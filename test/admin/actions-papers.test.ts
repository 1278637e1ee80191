import { expect } from 'chai';
import type {
  Template,
  UsefulnessSeen,
} from '../../server/dashboard/schemas/views.js';
import type { TestBoard } from '../support/board.js';
import { forEachTest } from '../support/hooks.js';
import { desksOfAQuestion } from './actions-desk-set.js';
import { done, operator, type SignedInOperator } from './actions-operator.js';

describe("The operators' papers", () => {
  let test: TestBoard;
  let admin: SignedInOperator;
  let moderator: SignedInOperator;
  let viewer: SignedInOperator;

  forEachTest(desksOfAQuestion, (made) => {
    ({ test, admin, moderator, viewer } = made);
  });

  const download = (who: SignedInOperator, path: string) =>
    test.as().get(`/admin/api/do/${path}`).set('Cookie', who.cookie);

  it('drafts, previews exactly and publishes a usefulness report for ever', async () => {
    test.clock.advance(86_400_000);
    admin = await operator(test, 'admin');
    moderator = await operator(test, 'moderator', 'Moira');
    viewer = await operator(test, 'viewer');
    const period = { from: '2026-01-15', to: '2026-01-16' };
    const draft = await done<UsefulnessSeen>(
      moderator.ask('usefulness.draft', period),
    );
    expect(draft).to.include({ published_at: null, operator: 'Moira' });
    expect(draft.metrics).to.have.nested.property('content.topics', 1);
    expect(draft.metrics).to.have.nested.property('content.questions', 1);
    expect(draft.metrics).to.have.nested.property(
      'content.answered_questions',
      1,
    );
    const { id } = draft;
    const note = 'One question, one answer.';
    const again = { ...period, id, note };
    await done(moderator.ask('usefulness.draft', again));
    const shown = await done(admin.ask('usefulness.preview', { id }));
    const made = await done(admin.ask('usefulness.publish', { id }));
    expect(made).to.deep.equal(shown);
    const { body } = await test.as().get('/api/usefulness');
    expect(body.reports).to.deep.equal([made]);
    for (const [name, input] of [
      ['usefulness.publish', { id }],
      ['usefulness.draft', again],
    ] as const) {
      const late = await admin.ask(name, input as never);
      expect(late.status, name).to.equal(409);
      expect(late.body.current).to.deep.equal(made);
    }
    const { writes } = test.board.context;
    for (const statement of [
      "UPDATE usefulness_report SET note = 'Else.'",
      'DELETE FROM usefulness_report',
    ]) {
      const error = await writes.query(statement).then(
        () => null,
        (thrown: { code?: string }) => thrown,
      );
      expect(error?.code).to.equal('23000');
    }
    const csv = await download(viewer, `usefulness/${id}?format=csv`);
    expect(csv.headers['content-type']).to.equal('text/csv; charset=utf-8');
    expect(csv.text).to.include('metrics.content.answered_questions,1\r\n');
    const json = await download(viewer, `usefulness/${id}`);
    expect(JSON.parse(json.text)).to.deep.equal(made);
    await download(viewer, 'usefulness/9').expect(404);
  });

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
    const listed = await done<{ data: { id: number }[]; next: number | null }>(
      viewer.ask('decision.list', { limit: 1 }),
    );
    expect(listed.data.map(({ id }) => id)).to.deep.equal([2]);
    expect(listed.next).to.equal(2);
    const older = await done<{ data: { id: number }[]; next: number | null }>(
      viewer.ask('decision.list', { limit: 1, before: 2 }),
    );
    expect(older).to.deep.include({ next: null });
    expect(older.data[0]).to.include({ id: 1 });
  });

  it('keeps templates whose placeholders are to be filled', async () => {
    const all = await done<{ data: Template[] }>(
      viewer.ask('template.list', {}),
    );
    expect(all.data.length).to.be.at.least(5);
    const mine = {
      name: 'Spam',
      action: 'remove',
      reason: 'spam',
      explanation: 'Posted {{n}} times in {{ rooms }}, {{n}}.',
    } as const;
    const saved = await done<Template>(moderator.ask('template.save', mine));
    expect(saved.placeholders).to.deep.equal(['n', 'rooms']);
    const now = await done<{ data: Template[] }>(
      viewer.ask('template.list', {}),
    );
    expect(now.data).to.have.length(all.data.length);
    await viewer.ask('template.save', mine).expect(403);
    await done(moderator.ask('template.remove', { name: 'Spam' }));
    await moderator.ask('template.remove', { name: 'Spam' }).expect(404);
  });

  it('has room for two hundred saved templates', async () => {
    await test.board.context.writes.query(
      `INSERT INTO decision_template
         (name, action, reason, explanation, updated_at, updated_by)
       SELECT 'No. ' || n, 'keep', 'other', 'It stays.', 0, 'x'
       FROM generate_series(1, 199) AS n`,
    );
    const { data } = await done<{ data: Template[] }>(
      viewer.ask('template.list', {}),
    );
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
});
