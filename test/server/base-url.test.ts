import { expect } from 'chai';
import { ConfigError, parseConfig } from '../../server/config.js';

const LOCAL = { DATABASE_URL: 'postgresql://board@127.0.0.1/board' };
const baseUrl = (url: string) =>
  parseConfig({ ...LOCAL, BASE_URL: url }).baseUrl;

describe('the address of a board in its settings', () => {
  for (const [written, taken] of [
    ['https://Board.Example:443/', 'https://board.example'],
    ['http://board.example:80', 'http://board.example'],
    ['http://127.1:8080', 'http://127.0.0.1:8080'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['http://localhost:0', 'http://localhost:0'],
  ] as const) {
    it(`is ${taken} where ${written} is set`, () => {
      expect(baseUrl(written)).to.equal(taken);
    });
  }

  for (const url of [
    'https://board.example.',
    'http://my_board:3000',
    'http://[::1]:8080',
    'https://user@board.example',
    'https://board.example/path',
  ]) {
    it(`is not ${url}, which no identity can name`, () => {
      expect(() => baseUrl(url)).to.throw(ConfigError, 'BASE_URL must be');
    });
  }
});
