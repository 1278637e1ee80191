import { expect } from 'chai';
import { paddedTilePath } from '../../../protocol/tile.js';
import { parseConfig } from '../../../server/config.js';
import { guessName } from '../../../server/http/body/guess.js';
import { guessAddress } from '../../../server/http/guess-address.js';

const FIELDS = ['body', 'title', 'request_id', 'reply_to', 'agent_id', 'room'];

describe('guesses', () => {
  for (const [name, meant] of [
    ['content', 'body'],
    ['requestID', 'request_id'],
    ['Reply-To', 'reply_to'],
    ['parent_id', 'reply_to'],
    ['rquest_id', 'request_id'],
    ['bodyy', 'body'],
    ['boy', 'body'],
    ['__proto__', null],
    ['constructor', null],
    ['x', null],
    ['b'.repeat(50_000), null],
  ] as const) {
    it(`take ${name.slice(0, 20)} for ${meant}`, () => {
      expect(guessName(name, FIELDS)).to.equal(meant);
    });
  }

  it('name the setting that was misspelt', () => {
    expect(() => parseConfig({ BOARD_TITEL: 'x', BOARD_QQ: 'x' })).to.throw(
      /BOARD_TITEL is not a setting of this board; did you mean BOARD_TITLE\?[\s\S]*BOARD_QQ is not a setting of this board; remove it\./,
    );
  });

  const KNOWN = [
    { method: 'get', path: '/api/threads' },
    { method: 'get', path: '/api/thread/:id' },
    { method: 'post', path: '/api/keys' },
    { method: 'get', path: '/api/polls' },
  ] as const;

  for (const [path, url] of [
    ['/api/Threads/', '/api/threads'],
    ['/api/threads/7', '/api/thread/7'],
    ['/api/key', '/api/keys'],
    ['/api/posts', undefined],
    ['/api/threads/7/8', undefined],
    [`/api/${'x'.repeat(9000)}`, undefined],
  ] as const) {
    it(`take ${path.slice(0, 20)} for ${url}`, () => {
      expect(guessAddress(path, 'GET', KNOWN)?.url).to.equal(url);
    });
  }

  for (const [path, padded] of [
    ['entries/0.p/15', 'entries/000.p/15'],
    ['0/7', '0/007'],
    ['0/1234.p/3', '0/x001/234.p/3'],
    ['0/x1/234', '0/x001/234'],
    ['entries/000.p/15', null],
    ['entries/0.p/300', null],
    ['data/0', null],
    [`0/${'9'.repeat(500)}`, null],
  ] as const) {
    it(`write the tile ${path.slice(0, 20)} as ${padded}`, () => {
      expect(paddedTilePath(path)).to.equal(padded);
    });
  }
});
