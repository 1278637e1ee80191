import { domainToASCII } from 'node:url';
import { addressOf } from '../../protocol/address.js';
import { parseUrl } from '../../protocol/parse-url.js';
import { punycodeText } from '../../protocol/punycode.js';

describe('the address of a board', () => {
  for (const [why, url, address] of [
    ['is its url', 'https://a.example', 'https://a.example'],
    ['has a port', 'https://a.example:8443', 'https://a.example:8443'],
    ['leaves out 443 of https', 'https://a.example:443', 'https://a.example'],
    ['leaves out 80 of http', 'http://a.example:80', 'http://a.example'],
    ['keeps 443 of http', 'http://a.example:443', 'http://a.example:443'],
    ['keeps 80 of https', 'https://a.example:80', 'https://a.example:80'],
    ['may have a port that is not known yet', 'http://a.example:0', undefined],
    ['differs by scheme', 'http://a.example', 'http://a.example'],
    ['may be in Punycode', 'https://xn--bcher-kva.example', undefined],
    ['may be four numbers', 'http://192.0.2.1:8080', undefined],
  ] as const) {
    it(why, () => expect(addressOf(url)).to.equal(address ?? url));
  }

  for (const [why, url] of Object.entries({
    'a port over 65535': 'https://a.example:65536',
    'a port of five nines': 'https://a.example:99999',
    'a padded port': 'https://a.example:0443',
    'a port that is empty': 'https://a.example:',
    'a capital letter': 'https://A.example',
    'a capital scheme': 'HTTPS://a.example',
    'a final dot': 'https://a.example.',
    'letters beyond ASCII': 'https://bücher.example',
    'Punycode that is none': 'https://xn--a.example',
    'Punycode cut short': 'https://xn--bcher-kv.example',
    'Punycode of nothing': 'https://xn--.example',
    'Punycode of capital letters': 'https://xn--26aars.example',
    'Punycode of ASCII': 'https://xn--bucher-.example',
    'Punycode of a control character': 'https://xn--afh.example',
    'Punycode beyond Unicode': 'https://xn--99999999.example',
    'Punycode that is too long': `https://xn--${'a'.repeat(60)}.example`,
    'a percent sign': 'https://a%2eexample',
    'a user': 'https://b.example@a.example',
    'a path': 'https://a.example/x',
    'a final slash': 'https://a.example/',
    'a query': 'https://a.example?x',
    'a fragment': 'https://a.example#x',
    'a backslash': 'https://a.example\\x',
    'an IPv6 address': 'http://[2001:db8::1]:8080',
    'an IPv4 address in one number': 'http://2130706433',
    'an IPv4 address in hex': 'http://0x7f.0.0.1',
    'a short IPv4 address': 'http://127.1',
    'an IPv4 address that is too large': 'http://1.2.3.256',
    'another scheme': 'ftp://a.example',
    'a line break': 'https://a.example\n',
    'no host': 'https://',
    nothing: '',
  })) {
    it(`is not one with ${why}`, () => expect(addressOf(url)).to.equal(null));
  }
});

describe('parseUrl', () => {
  it('takes letters beyond ASCII, also after many thousand calls', () => {
    for (let n = 0; n < 50_000; n += 1) parseUrl(`https://a.example/${n % 8}`);
    for (let n = 0; n < 50_000; n += 1) {
      const url = parseUrl('https://bücher.example/ü');
      expect(url?.host).to.equal('xn--bcher-kva.example');
    }
  });

  it('answers null for what is no URL', () => {
    for (const text of [
      '',
      '/path',
      'https://',
      'http://a:99999',
      'http://[',
    ]) {
      expect(parseUrl(text), text).to.equal(null);
    }
    expect(parseUrl('/a', 'https://b.example')?.href).to.equal(
      'https://b.example/a',
    );
  });
});

describe('Punycode', () => {
  // RFC 3492 §7.1 in small letters, and a few of one or two letters.
  for (const text of [
    'ليهمابتكلموشعربي؟'.slice(0, -1),
    '他们为什么不说中文',
    'pročprostěnemluvíčesky',
    'למההםפשוטלאמדבריםעברית',
    'porquénopuedensimplementehablarenespañol',
    '3年b組金八先生',
    'ひとつ屋根の下2',
    'bücher',
    'ü',
    'a-ü',
    '💩',
  ]) {
    it(`is read as ${text}`, () => {
      const label = domainToASCII(text);
      expect(label).to.match(/^xn--/);
      expect(punycodeText(label.slice(4))).to.equal(text);
    });
  }

  for (const text of ['b', 'bcher-kv', '99999999', 'zz_', '-', 'ab--']) {
    it(`of "${text}" is what RFC 3492 says`, () => {
      const known: Record<string, string> = { '-': '', 'ab--': 'ab-' };
      expect(punycodeText(text)).to.equal(known[text] ?? null);
    });
  }
});
