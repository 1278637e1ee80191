import { expect } from 'chai';
import { startBoard, type TestBoard } from '../../support/board.js';
import { rawExchange } from './harness.js';

const HEAD = [
  'POST /write/preview HTTP/1.1',
  'Host: board.test',
  'Content-Type: application/json',
];

describe('a body over 65536 bytes', () => {
  let test: TestBoard;

  before(async () => {
    test = await startBoard();
  });

  after(() => test.stop());

  for (const [name, header, body] of [
    ['declared', 'Content-Length: 65537', 'a'.repeat(65_537)],
    [
      'chunked and whole',
      'Transfer-Encoding: chunked',
      `10001\r\n${'a'.repeat(65_537)}\r\n0\r\n\r\n`,
    ],
  ] as const) {
    it(`is answered and its connection closed, ${name}`, async () => {
      const port = Number(new URL(test.url).port);
      const head = [...HEAD, header].join('\r\n');
      const answer = await rawExchange(port, `${head}\r\n\r\n${body}`);
      expect(answer.status).to.equal(413);
      expect(answer.body.error).to.equal('request_too_large');
      expect(answer.head).to.contain('connection: close');
    });
  }
});
