import { domainToASCII } from 'node:url';
import { expect } from 'chai';
import { punycodeText } from '../../protocol/punycode.js';

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
