import { CHALLENGE_INSTRUCTION } from '../../../server/tickets/issue-ticket.js';
import { lockScope, wrongAnswer } from '../../../server/tickets/ticket.js';
import { recordFaults } from '../../faults/report.js';
import { FULL } from '../../support/full.js';
import { givenBoard } from '../../support/hooks.js';
import {
  filled,
  preview,
  publish,
  request,
  submit,
} from '../../support/post.js';
import { expectRefusal, LOCKED, retryAfter } from './refusals.js';

const GRAMMAR =
  /^Add \d{1,6} and \d{1,6}\. Append a hyphen and the word [A-Za-z]{1,40}\.$/;

describe('the challenge of a write', () => {
  const test = givenBoard({ lifted: true });

  const send = (body: object, from?: string) => submit(test, body, from);

  async function guess(template: object, n: number, from?: string) {
    let answer = await send({ ...template, answer: '0-wrong' }, from);
    for (let left = n - 1; left > 0; left -= 1) {
      answer = await send({ ...template, answer: '0-wrong' }, from);
    }
    return answer;
  }

  it('is one string of exactly two sentences, its hints apart', async () => {
    const seen = new Set<string>();
    for (let n = 0; n < 40; n += 1) {
      const { body } = await preview(test, {});
      expect(body.challenge).to.match(GRAMMAR);
      expect(body.challenge_instruction).to.equal(CHALLENGE_INSTRUCTION);
      seen.add(body.challenge);
    }
    expect(seen.size).to.be.greaterThan(30);
  });

  it('ignores case, blanks, the kind of dash, quotes and a final dot', async () => {
    for (const change of [
      (answer: string) => ` \t${answer}\r\n`,
      (answer: string) => answer.toUpperCase(),
      (answer: string) => `\u00a0${answer}\u3000`,
      ...'\u2010\u2011\u2013\u2014\u2212\ufe63\uff0d'
        .split('')
        .map((dash) => (answer: string) => answer.replace('-', ` ${dash} `)),
      (answer: string) => answer.replace('-', '- '),
      (answer: string) => `${answer}.`,
      (answer: string) => `\u201c${answer}.\u201d`,
      (answer: string) => `\`${answer}\`.`,
      (answer: string) => `\u300c${answer}\u300d\u3002`,
    ]) {
      const template = filled(await preview(test, {}));
      const answer = change(String(template.answer));
      expect((await send({ ...template, answer })).status).to.equal(201);
    }
  });

  it('takes nothing else for the answer', async () => {
    for (const change of [
      (answer: string) => answer.replace('-', ' '),
      (answer: string) => answer.replace('-', ''),
      (answer: string) => `${answer}!`,
      (answer: string) => answer.replace('-', '--'),
      (answer: string) => answer.replace('-', '_'),
      (answer: string) => `\`\`${answer}\`\``,
      (answer: string) => `The answer is ${answer}`,
      (answer: string) => `0${answer}`,
      (answer: string) => answer.split('-').reverse().join('-'),
      () => 'YOUR_ANSWER',
    ]) {
      const template = filled(await preview(test, {}));
      const answer = change(String(template.answer));
      expectRefusal(await send({ ...template, answer }), {
        status: 400,
        error: 'wrong_answer',
        field: 'answer',
      });
    }
  });

  it('counts down and locks the request_id at the fifth', async () => {
    const template = filled(await preview(test, {}));
    for (const left of [4, 3, 2, 1]) {
      const answer = await guess(template, 1);
      expect(answer.body.error).to.equal('wrong_answer');
      expect(answer.body.attempts_left).to.equal(left);
    }
    const fifth = await guess(template, 1);
    expectRefusal(fifth, LOCKED);
    expect(retryAfter(fifth)).to.equal(600);
  });

  it('locks every ticket of the request_id, from every network', async () => {
    const post = request();
    const other = request();
    const first = filled(await preview(test, post));
    const second = filled(await preview(test, post, '198.51.100.1'));
    const apart = filled(await preview(test, other));
    await guess(first, 3, '198.51.100.2');
    await guess(second, 2, '198.51.100.3');
    for (const template of [first, second]) {
      expectRefusal(await send(template, '198.51.100.4'), LOCKED);
    }
    const fresh = filled(await preview(test, post));
    expectRefusal(await send(fresh), LOCKED);
    expect((await send(apart)).status).to.equal(201);
  });

  it('holds for 600 s, not a second less, and then starts anew', async () => {
    const post = request();
    const template = filled(await preview(test, post));
    await guess(template, 5);
    test.clock.advance(599_000);
    const answer = await send(template);
    expectRefusal(answer, LOCKED);
    expect(retryAfter(answer)).to.equal(1);
    const fresh = filled(await preview(test, post));
    test.clock.advance(1000);
    const wrong = await guess(fresh, 1);
    expect(wrong.body.attempts_left).to.equal(4);
    expect((await send(fresh)).status).to.equal(201);
  });

  it('forgets wrong answers after a right one', async () => {
    const template = filled(await preview(test, {}));
    await guess(template, 4);
    const { confirm: _, ...unconfirmed } = template;
    expectRefusal(await send(unconfirmed), {
      status: 400,
      error: 'confirmation_required',
      field: 'confirm',
    });
    const next = await guess(template, 1);
    expect(next.body.attempts_left).to.equal(4);
  });

  it('is not changed by further previews', async () => {
    const post = request();
    const template = filled(await preview(test, post));
    await guess(template, 4);
    const fresh = filled(await preview(test, post));
    expectRefusal(await guess(fresh, 1), LOCKED);
    expect((await preview(test, post)).status).to.equal(200);
  });

  it('gives the receipt of an accepted request before the lock', async () => {
    const post = request();
    const { message } = await publish(test, post);
    const again = filled(await preview(test, post));
    const answer = await guess(again, 7);
    expect(answer.status).to.equal(200);
    expect(answer.body.status).to.equal('already_published');
    expect(answer.body.message.id).to.equal(message.id);
  });

  it('gives it as well where guesses of the same moment lock it', async () => {
    const post = request();
    const template = filled(await preview(test, post));
    expect((await send(template)).status).to.equal(201);
    // Guesses that found no receipt yet are counted after it is there.
    const { writes, limits } = test.board.context;
    const scope = lockScope({ requestId: String(post.request_id) });
    for (let n = 0; n < limits.challenge_attempts; n += 1) {
      await wrongAnswer(writes, { scope }, limits, test.clock.now());
    }
    const { body } = await send(template).expect(200);
    expect(body.status).to.equal('already_published');
  });

  it('is stored only as a keyed hash', async () => {
    const template = filled(await preview(test, {}));
    const rows = await test.board.context.writes.query<{ row: string }>(
      'SELECT row_to_json(k)::text AS row FROM ticket k',
    );
    const stored = rows.map(({ row }) => row).join('\n');
    const hex = Buffer.from(String(template.ticket), 'base64url');
    for (const secret of [
      template.answer,
      template.ticket,
      hex.toString('hex'),
    ]) {
      expect(stored).not.to.include(secret);
    }
  });

  it('evaluates five of 200 parallel wrong answers', async () => {
    const rounds = FULL ? 20 : 3;
    for (let round = 0; round < rounds; round += 1) {
      const template = filled(await preview(test, {}));
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, n) =>
          send({ ...template, answer: '0-wrong' }, `198.18.${round}.${n}`),
        ),
      );
      const wrong = answers.filter(({ body }) => body.error === 'wrong_answer');
      const lefts = wrong.map(({ body }) => body.attempts_left).sort();
      expect(lefts).to.deep.equal([1, 2, 3, 4]);
      const locked = answers.filter(({ status }) => status === 429);
      expect(locked).to.have.lengthOf(196);
      expectRefusal(await send(template, '198.19.0.1'), LOCKED);
    }
    await recordFaults({ test: 'B7', faults: rounds * 200 });
  });
});
