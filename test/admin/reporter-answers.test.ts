import { done, givenOperators, reported, STAYS } from './operators.js';

const ANSWER = 'Thank you. <b>It is gone</b>.\nThe number in it was private.';

describe('An answer to who reported', () => {
  const { test, moderator } = givenOperators();

  const read = async (id: string) => {
    const { body } = await test.as().get(`/api/reports/${id}`);
    return body as { status: string; answer?: string };
  };
  const settle = (id: string, more: object) =>
    moderator.ask('report.settle', {
      report_ids: [id],
      as: 'dismissed',
      ...more,
    });

  it('is shown with the report once it is settled, as plain text', async () => {
    const id = await reported(test, 1);
    expect(await read(id)).not.to.have.property('answer');
    await done(settle(id, { answer: ANSWER }));
    expect(await read(id)).to.include({ status: 'dismissed', answer: ANSWER });
    const { text } = await test.as().get(`/report/${id}`);
    expect(text).to.contain('&lt;b&gt;It is gone&lt;/b&gt;');
  });

  it('comes with a decision and goes when an appeal reopens', async () => {
    const id = await reported(test, 1);
    const decision = { action: 'keep', id: 1, ...STAYS } as const;
    const asked = { ...decision, report_ids: [id], answer: ANSWER };
    await done(moderator.ask('decision.record', asked));
    expect(await read(id)).to.include({ status: 'resolved', answer: ANSWER });
    await reported(test, 1, { kind: 'appeal', reason: 'other' });
    expect(await read(id)).to.have.property('status', 'received');
    expect(await read(id)).not.to.have.property('answer');
  });

  it('may be empty, and has at most 500 characters and no gap', async () => {
    const id = await reported(test, 2);
    const refused: [unknown, number, string][] = [
      ['x'.repeat(501), 422, 'too_long'],
      ['See {{rule}}.', 400, 'invalid_input'],
      ['a\0b', 400, 'invalid_unicode'],
      [7, 400, 'invalid_input'],
    ];
    for (const [answer, status, error] of refused) {
      const sent = await settle(id, { answer: answer as string });
      expect(sent.body, String(answer)).to.include({ error, field: 'answer' });
      expect(sent.status).to.equal(status);
    }
    await done(settle(id, { answer: '' }));
    expect(await read(id)).not.to.have.property('answer');
    const other = await reported(test, 2);
    await done(settle(other, { answer: '🦀'.repeat(500) }));
    expect((await read(other)).answer).to.have.length(1000);
  });
});
