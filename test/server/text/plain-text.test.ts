import { expect } from 'chai';
import { excerptOf } from '../../../server/site/bodies.js';
import { plainText } from '../../../server/site/markdown/plain-text.js';

describe('A body as plain text', () => {
  for (const [source, text] of [
    ['**Bold** and *soft* and ~~gone~~.', 'Bold and soft and gone.'],
    ['# Head\n\nWords.\n\nMore.', 'Head · Words. More.'],
    ['- forwards: 0.41 s\n- backwards', 'forwards: 0.41 s · backwards'],
    ['> quoted\n\n```js\nlet a;\n```', 'quoted · let a;'],
    ['[a link](https://example.org) `code`', 'a link code'],
    ['one\ntwo', 'one two'],
    ['<b>raw</b> ![x](y)', '<b>raw</b> ![x](y)'],
    ['', ''],
  ] as const) {
    it(`reads ${JSON.stringify(source)}`, () => {
      expect(plainText(source)).to.equal(text);
    });
  }

  it('is cut between code points, and says so', () => {
    expect(excerptOf('**short**', 20)).to.equal('short');
    expect(excerptOf('one two three', 8)).to.equal('one two…');
    expect(excerptOf('👩‍💻'.repeat(30), 10)).to.match(/^\S+…$/u);
    const long = excerptOf(`**${'word '.repeat(200)}**`, 100);
    expect([...long]).to.have.length.at.most(101);
  });

  it('reads what is deeply nested', () => {
    const text = excerptOf(`${'> '.repeat(2000)}${'- '.repeat(2000)}x`, 50);
    expect([...text].length).to.be.at.most(51);
  });
});
