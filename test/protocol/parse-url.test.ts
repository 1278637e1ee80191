import { expect } from 'chai';
import { parseUrl } from '../../protocol/parse-url.js';

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
