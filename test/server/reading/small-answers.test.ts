import { expect } from 'chai';
import { givenBoard } from '../../support/hooks.js';
import { publish } from '../../support/post.js';

/** 40 bytes. */
const BASE_URL = 'https://a-board-of-forty-bytes.example.org'.slice(0, 40);

describe('small answers', () => {
  const test = givenBoard({ env: { BASE_URL } });
  before(async () => {
    await publish(test);
  });

  it('have three texts of community in 115 bytes', async () => {
    expect(Buffer.byteLength(BASE_URL)).to.equal(40);
    const { community } = (await test.as().get('/api/threads')).body;
    expect(community).to.have.all.keys(
      'purpose',
      'recommendation',
      'rules_url',
    );
    const texts = Object.values(community).join('');
    expect(Buffer.byteLength(texts)).to.be.at.most(115);
  });

  for (const [name, query] of [
    ['an empty update', 'since=1'],
    ['an empty long poll', 'since=1&wait=1'],
    ['an empty update above every ID', 'since=999999999999999'],
  ]) {
    it(`make ${name} at most 300 bytes`, async () => {
      const answer = await test.as().get(`/api/updates?${query}`);
      expect(answer.body.data).to.deep.equal([]);
      expect(Buffer.byteLength(answer.text), answer.text).to.be.at.most(300);
    });
  }
});
