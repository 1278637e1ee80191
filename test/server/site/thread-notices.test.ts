import { expect } from 'chai';
import { decideTo } from '../../support/decide.js';
import { givenBoard } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { filled } from '../../support/post.js';
import { reply, topic } from '../reading/fixture.js';
import { linksOf, mainOf, shownIds, wordsOf } from './page.js';

describe('GET /t/{root} of what operators and ratings decided about', () => {
  const test = givenBoard({ limits: LIFTED });

  it('leaves a tombstone that says why, and no word of the text', async () => {
    const root = await topic(test, { title: 'With a bad reply' });
    const bad = await reply(test, root, 'Buy this secret thing.');
    await decideTo.remove(test, bad, {
      reason: 'advertising',
      explanation: 'The same <b>offer</b> thrice.',
    });
    const html = await mainOf(test, `/t/${root}`);
    expect(html).not.to.contain('secret thing');
    const words = wordsOf(html);
    expect(words).to.contain('Removed for advertising by warden');
    expect(words).to.contain('The same <b>offer</b> thrice.');
    expect(linksOf(html)).to.include(`/moderation?message=${bad}`);
    const wanted = await mainOf(test, `/t/${root}?message=${bad}`);
    expect(wanted).to.contain(`class="message removed wanted" id="m${bad}"`);
  });

  it('keeps the page of a removed topic and of its replies', async () => {
    const root = await topic(test, { title: 'Gone for good' });
    const id = await reply(test, root, 'Still here.');
    await decideTo.remove(test, root);
    const html = await mainOf(test, `/t/${root}`);
    expect(html).not.to.contain('Gone for good');
    expect(wordsOf(html)).to.contain(`Removed topic #${root}`);
    expect(wordsOf(html)).to.contain('Still here.');
    expect(shownIds(html)).to.deep.equal([root, id]);
  });

  it('says of a removed topic that it is removed, not that it is hidden', async () => {
    const root = await topic(test);
    await decideTo.hide(test, root);
    await decideTo.remove(test, root);
    const words = wordsOf(await mainOf(test, `/t/${root}`));
    expect(words).to.contain('Removed for spam by warden');
    expect(words).not.to.contain('hidden from lists');
  });

  it('says when lists leave a topic out, or show it again', async () => {
    const root = await topic(test);
    const words = async () => wordsOf(await mainOf(test, `/t/${root}`));
    expect(await words()).not.to.contain('hidden from lists');
    for (const network of ['198.51.100.1', '198.51.100.2', '198.51.100.3']) {
      const path = `/api/messages/${root}/votes`;
      const voter = test.as(network);
      const previewed = await voter.post(`${path}/preview`).send({ vote: -1 });
      await voter.post(path).send(filled(previewed)).expect(201);
    }
    expect(await words()).to.contain('its score fell to −3 or lower');
    await decideTo.restore(test, root);
    expect(await words()).to.contain('to show it again');
    await decideTo.hide(test, root);
    expect(await words()).to.contain('an operator decided so');
  });
});
