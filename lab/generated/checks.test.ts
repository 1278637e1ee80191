import fc from 'fast-check';
import { Description, type Exchange } from '../../test/support/conforms.js';
import type { OpenApi, OperationObject } from '../../test/support/described.js';
import { problemsOf } from './judge.js';
import { limitProblems } from './limited.js';
import type { Generated, Refusal } from './requests/parts.js';
import { walk } from './walk.js';

const SCOPE = 'reads_per_network_minute';

/** A description of one read that says nothing of its answers. */
const DESCRIPTION = new Description({
  paths: { '/x': { get: { 'x-limits': [SCOPE] } as OperationObject } },
} as unknown as OpenApi);

/** Nothing is wrong with these answers but what the judge itself finds. */
const LENIENT = Object.create(DESCRIPTION, {
  problems: { value: () => [] },
}) as Description;

/** The checks checked: what they let pass means something only then. */
describe('what is found wrong with an answer', () => {
  const judged = (
    refusal: Refusal | null,
    status: number,
    body: object = {},
    more: Partial<Exchange> = {},
  ) => {
    const sent = { method: 'GET', path: '/x', headers: {}, body: null };
    const it: Generated = {
      ...sent,
      kind: 'a test',
      refusal,
      ...more,
    } as never;
    const text = JSON.stringify(body);
    const answer = { ...sent, status, text, headers: {}, ...more } as Exchange;
    return problemsOf(LENIENT, it, answer);
  };

  it('is nothing where all is well', () => {
    expect(judged(null, 200)).to.deep.equal([]);
    expect(judged(null, 404, { error: 'not_found' })).to.deep.equal([]);
    const named = { error: 'invalid_input', field: 'limit' };
    expect(judged({ field: 'limit' }, 400, named)).to.deep.equal([]);
    const codes = ['forbidden'] as const;
    expect(judged({ codes }, 403, { error: 'forbidden' })).to.deep.equal([]);
  });

  it('is trouble of the board, but that it is busy or not ready', () => {
    expect(judged(null, 500)).to.have.length(1);
    expect(judged(null, 503, { error: 'log_guard' })).to.have.length(1);
    expect(judged(null, 503, { error: 'unavailable' })).to.deep.equal([]);
    expect(judged(null, 503, {}, { path: '/readyz' })).to.deep.equal([]);
  });

  it('is a code of another status, and a method that is allowed', () => {
    expect(judged(null, 404, { error: 'forbidden' })).to.have.length(2);
    const headers = { allow: 'GET, HEAD' };
    expect(judged(null, 405, {}, { headers })).to.have.length(1);
  });

  it('is a refusal without a fault, for another fault, and none', () => {
    expect(judged(null, 400, { error: 'invalid_input' })).to.have.length(1);
    const other = { error: 'invalid_input', field: 'before' };
    expect(judged({ field: 'limit' }, 400, other)).to.have.length(1);
    expect(judged({ field: 'limit' }, 200)).to.have.length(1);
    const codes = ['invalid_json'] as const;
    const unknown = { error: 'unknown_field' };
    expect(judged({ codes }, 400, unknown)).to.have.length(1);
  });

  it('is a 429 that reports another limit than it names, or another time', () => {
    const limits = { [SCOPE]: 5 };
    const refused = (headers: Exchange['headers'], scope = SCOPE) =>
      limitProblems(DESCRIPTION, limits, {
        ...{ method: 'GET', path: '/x', status: 429, headers },
        text: JSON.stringify({ error: 'rate_limited', scope }),
      });
    const good = {
      'retry-after': '7',
      ratelimit: `"${SCOPE}";r=0;t=7`,
      'ratelimit-policy': `"${SCOPE}";q=5;w=60`,
    };
    expect(refused(good)).to.deep.equal([]);
    expect(refused({ ...good, 'retry-after': '61' })).to.have.length(2);
    expect(refused({ 'retry-after': undefined })).to.have.length(1);
    expect(refused({ 'retry-after': '7' }, 'page_max')).to.have.length(1);
    const ratelimit = `"${SCOPE}";r=1;t=7`;
    expect(refused({ ...good, ratelimit })).to.have.length(1);
    const policy = { 'ratelimit-policy': `"${SCOPE}";q=6;w=60` };
    expect(refused({ ...good, ...policy })).to.have.length(1);
  });
});

describe('a walk that meets a wrong answer', () => {
  it('names the smallest request of its kind', async () => {
    const requests = fc.string({ maxLength: 40 }).map(
      (text): Generated => ({
        ...{ method: 'POST', path: '/x', headers: {}, kind: 'a test' },
        ...{ body: Buffer.from(text), refusal: null },
      }),
    );
    const asked: number[] = [];
    const failed = await walk(
      requests,
      async ({ body }, n) => {
        asked.push(n);
        return String(body).length > 2 ? ['too long'] : [];
      },
      { count: 5000, seed: 1 },
    ).then(
      () => 'nothing',
      (error: Error) => error.message,
    );
    expect(failed).to.match(/^too long\na test, request \d+ of fast-check’s/);
    expect(failed).to.match(
      /\n\{"method":"POST","path":"\/x",.*,"body":"..."\}/,
    );
    expect(asked.length).to.be.below(1000);
  });
});
