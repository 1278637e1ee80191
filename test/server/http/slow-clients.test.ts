import { expect } from 'chai';
import { recordFaults } from '../../faults/report.js';
import {
  type Edge,
  type RawAnswer,
  rawExchange,
  rawPost,
  startEdge,
} from './harness.js';

const EDGE = {
  requestTimeout: 400,
  headersTimeout: 200,
  connectionsCheckingInterval: 50,
};
/** So much that even a busy machine reads first what was sent at once. */
const UNHURRIED = { ...EDGE, requestTimeout: 3000, headersTimeout: 3000 };

describe('slow clients', () => {
  let edge: Edge;
  let answers: Promise<RawAnswer[]>[];
  before(async () => {
    edge = await startEdge(EDGE);
    answers = DRIP.map(([, start]) =>
      Promise.all(
        Array.from({ length: 20 }, () => rawExchange(edge.port, start)),
      ),
    );
  });
  after(() => edge.stop());

  const DRIP: [string, string][] = [
    ['that never end their headers', 'GET / HTTP/1.1\r\nHost: a\r\n'],
    ['that stop in the middle of the request line', 'GET /api/li'],
    ['that never end their body', rawPost(['Content-Length: 10'], '{')],
    [
      'that never end their chunks',
      rawPost(['Transfer-Encoding: chunked'], '2\r\n{}\r\n'),
    ],
    [
      'that never send what they asked to continue',
      rawPost(['Content-Length: 10', 'Expect: 100-continue']),
    ],
  ];
  for (const [n, [name]] of DRIP.entries()) {
    it(`answers 408 to 20 clients ${name}`, async () => {
      const those = (await answers[n]) ?? [];
      expect(those).to.have.length(20);
      for (const answer of those) {
        expect(answer.status).to.equal(408);
        expect(answer.body.error).to.equal('request_timeout');
        expect(answer.ms).to.be.at.least(100);
      }
      await recordFaults({ test: 'D2 cut short', faults: those.length });
    });
  }

  it('sends no 408 after the answer to a request whose body never ends', async () => {
    const raw = rawPost(['Content-Length: 10'], '{')
      .replace('application/json', 'text/plain')
      .replace('Connection: close\r\n', '');
    const unhurried = await startEdge(UNHURRIED);
    try {
      const answer = await rawExchange(unhurried.port, raw);
      expect(answer.text.match(/HTTP\/1\.1 \d+/g)).to.deep.equal([
        'HTTP/1.1 415',
      ]);
      expect(unhurried.logged).to.deep.equal([]);
    } finally {
      await unhurried.stop();
    }
  });

  it('logs none of this as an error', () => {
    expect(edge.logged).to.deep.equal([]);
  });
});
