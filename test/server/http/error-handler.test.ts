import request from 'supertest';
import { BoardError } from '../../../server/errors.js';
import { isDatabaseUnavailable } from '../../../server/http/database-errors.js';
import { given } from '../../support/hooks.js';
import { rawExchange, startEdge } from './harness.js';

const withCode = (code: string, more: object = {}): Error =>
  Object.assign(new Error('secret detail'), { code, ...more });

describe('isDatabaseUnavailable', () => {
  for (const code of [
    ...['53000', '53100', '53200', '53300', '57P01', '57P02', '57P03'],
    ...['08000', '08003', '08006', '08P01', '25P03', '25P04', '55P03'],
    ...['57014', '40001', '40P01'],
    ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'],
  ]) {
    it(`is true for ${code}, wrapped or not`, () => {
      const error = withCode(code);
      expect(isDatabaseUnavailable(error)).to.equal(true);
      expect(isDatabaseUnavailable({ driverError: error })).to.equal(true);
      expect(isDatabaseUnavailable({ cause: { cause: error } })).to.equal(true);
      expect(isDatabaseUnavailable(new AggregateError([error]))).to.equal(true);
    });
  }

  for (const message of [
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'Query read timeout',
  ]) {
    it(`is true for "${message}"`, () => {
      expect(isDatabaseUnavailable(new Error(message))).to.equal(true);
    });
  }

  for (const code of ['ENOENT', 'ENOTFOUND', 'EAI_AGAIN', 'EMFILE', 'ENFILE']) {
    it(`is true for ${code} of a connect, not of a file`, () => {
      const connecting = withCode(code, { syscall: 'connect' });
      const file = withCode(code, { syscall: 'open' });
      expect(isDatabaseUnavailable(connecting)).to.equal(true);
      expect(isDatabaseUnavailable(file)).to.equal(false);
    });
  }

  for (const code of ['23505', '22021', '42601', '42P01', '25P02', '0', '']) {
    it(`is false for ${JSON.stringify(code)}`, () => {
      expect(isDatabaseUnavailable(withCode(code))).to.equal(false);
    });
  }

  it('is false for what is no error and ends on cycles', () => {
    const cycle: { cause?: unknown } = {};
    cycle.cause = cycle;
    for (const value of [null, undefined, 'ECONNRESET', 1, {}, cycle]) {
      expect(isDatabaseUnavailable(value)).to.equal(false);
    }
  });
});

describe('errorHandler', () => {
  const edge = given(() => startEdge({ fail: () => failure }));
  let failure: unknown;
  beforeEach(() => edge.logged.splice(0));

  const answerTo = (error: unknown) => {
    failure = error;
    return request(edge.server).get('/api/fail');
  };

  it('sends a BoardError with its members and headers', async () => {
    const answer = await answerTo(
      new BoardError(
        'rate_limited',
        'Wait a little.',
        { scope: 'writes_per_network_minute', retry_after_seconds: 7 },
        { 'X-Test': 'yes' },
      ),
    );
    expect(answer.status).to.equal(429);
    expect(answer.headers).to.include({
      'retry-after': '7',
      'x-test': 'yes',
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
    });
    expect(answer.text).to.equal(
      '{"error":"rate_limited","detail":"Wait a little.","scope":"writes_per_network_minute","retry_after_seconds":7}',
    );
    expect(edge.logged).to.deep.equal([]);
  });

  it('answers 503 with Retry-After while the database is away', async () => {
    const answer = await answerTo(withCode('57P01')).expect(503);
    expect(answer.body.error).to.equal('unavailable');
    expect(answer.headers['retry-after']).to.equal(
      String(answer.body.retry_after_seconds),
    );
    expect(answer.text).not.to.contain('secret');
  });

  it('answers 500 without detail and logs without messages', async () => {
    const answer = await answerTo(withCode('23505', { parameters: ['body'] }));
    expect(answer.status).to.equal(500);
    expect(answer.body).to.have.all.keys('error', 'detail');
    expect(answer.text).not.to.contain('secret');
    expect(edge.logged).to.have.length(1);
    expect(edge.logged[0]).to.include({
      method: 'GET',
      route: '/api/fail',
      name: 'Error',
      code: '23505',
    });
    expect(JSON.stringify(edge.logged)).not.to.contain('secret');
    expect(edge.logged[0]?.stack).to.match(/^at /);
  });

  for (const thrown of ['text', 7, Object.create(null)]) {
    it(`answers 500 when ${typeof thrown} is thrown`, async () => {
      await answerTo(thrown).expect(500);
      expect(edge.logged).to.have.length(1);
    });
  }

  it('takes 4xx of Express for a malformed request', async () => {
    const answer = await answerTo(
      Object.assign(new Error('secret'), { status: 416 }),
    );
    expect(answer.status).to.equal(400);
    expect(answer.body.error).to.equal('invalid_input');
  });

  it('cuts an answer that has begun, so that it cannot look whole', async () => {
    const answer = await rawExchange(
      edge.port,
      'GET /api/fail-late HTTP/1.1\r\nHost: a\r\n\r\n',
    );
    expect(answer.text).not.to.contain('\r\n0\r\n\r\n');
    expect(answer.text).not.to.contain('internal_error');
    expect(edge.logged[0]).to.include({ name: 'TypeError', message: 'late' });
  });
});
