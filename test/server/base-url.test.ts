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

describe('the settings of notifications', () => {
  for (const [name, right, wrong] of [
    [
      'WEBHOOK_PRIVATE_ORIGINS',
      'http://10.0.0.5:8080,https://chat.internal',
      [
        '10.0.0.5',
        'http://10.0.0.5:8080/',
        'ftp://a.example',
        'http://A.example',
      ],
    ],
    [
      'SMTP_URL',
      'smtp://user:p%40ss@mail.example:587',
      ['mail.example', 'http://mail.example', 'smtp://', 'smtp://a b'],
    ],
    [
      'SMTP_FROM',
      'board@board.example',
      ['board', 'a@b.example,c@d.example', 'Board <a@b.example>'],
    ],
  ] as const) {
    it(`take ${name} in one form alone, and never repeat it`, () => {
      parseConfig({ ...LOCAL, [name]: right });
      for (const text of wrong) {
        const read = () => parseConfig({ ...LOCAL, [name]: text });
        expect(read, text)
          .to.throw(ConfigError, `${name} must be`)
          .with.property('message')
          .that.does.not.include(`: ${text}`);
      }
    });
  }
});
