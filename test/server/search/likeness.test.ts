import { expect } from 'chai';
import { likenessOf } from '../../../server/search/index.js';

const keyOf = (body: string) => likenessOf(body).textKey.toString('hex');

describe('What makes texts alike', () => {
  it('is neither case nor white space', () => {
    const key = keyOf('Buy now,  at a STRASSE');
    for (const same of [
      ' buy NOW,\n\tat\u00a0a straße ',
      'BUY NOW, AT A STRASSE\r\n',
    ]) {
      expect(keyOf(same), same).to.equal(key);
    }
    for (const other of ['Buy now at a strasse', 'Buy now, at a street']) {
      expect(keyOf(other), other).not.to.equal(key);
    }
  });

  it('is the host of each link, once and in one spelling', () => {
    const hosts = (body: string) => likenessOf(body).linkHosts;
    expect(hosts('no link, www.example.com')).to.equal(null);
    expect(
      hosts(
        'HTTP://Shop.Example/a https://shop.example:8443/b https://bücher.example',
      ),
    ).to.deep.equal(['shop.example', 'xn--bcher-kva.example']);
    const many = Array.from({ length: 30 }, (_, n) => `https://h${n}.example`);
    expect(hosts(many.join(' '))).to.have.length(20);
  });
});
