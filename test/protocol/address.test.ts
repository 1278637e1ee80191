import { expect } from 'chai';
import { addressOf } from '../../protocol/address.js';

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
