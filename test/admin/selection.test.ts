import type { CommandAnswers } from '../../server/dashboard/all-commands.js';
import { Message } from '../../server/db/entities/message.js';
import { keyTexts } from '../../server/search/index.js';
import { LIFTED_KEYS, publishSigned, register } from '../support/agent.js';
import { decideTo } from '../support/decide.js';
import { givenBoard } from '../support/hooks.js';
import { publish } from '../support/post.js';
import { rows } from '../support/rows.js';
import {
  done,
  operator,
  reported,
  type SignedInOperator,
} from './operators.js';

const SPAM = 'Buy at https://shop.example/a now!';

describe('Selecting what is alike', () => {
  const test = givenBoard({ lifted: true, limits: LIFTED_KEYS });
  let viewer: SignedInOperator;

  // 1 topic, 2 to 5 spam, 6 the same link, 7 the same name, 8 and 9 signed.
  before(async () => {
    viewer = await operator(test, 'viewer', 'Vi');
    await publish(test, { title: 'A topic', body: 'Nothing to sell.' });
    for (const body of [SPAM, `  ${SPAM.toUpperCase()} `, SPAM, SPAM]) {
      await publish(test, { reply_to: 1, body, name: 'Seller' });
    }
    const linked = 'See http://shop.example/b and https://other.example';
    await publish(test, { reply_to: 1, body: linked, name: 'Buyer' });
    await publish(test, { reply_to: 1, body: 'Hello.', name: 'Seller' });
    const agent = await register(test);
    await publishSigned(test, agent, { reply_to: 1, body: 'Signed.' });
    await publishSigned(test, agent, { reply_to: 1, body: 'Signed too.' });
    for (const id of [2, 2, 3, 5, 6, 8]) await reported(test, id);
    await decideTo.remove(test, 5);
  });

  const select = (
    subject: string,
    by: CommandAnswers['queue.select']['by'],
    more: object = {},
  ) => viewer.ask('queue.select', { subject, by, ...more });
  const ids = async (...asked: Parameters<typeof select>) => {
    const { data } = await done<CommandAnswers['queue.select']>(
      select(...asked),
    );
    return data.map(({ message_id }) => message_id);
  };

  it('takes what waits, and of it only texts that are still served', async () => {
    expect(await ids('message:2', 'text')).to.deep.equal([2, 3]);
    expect(await ids('message:2', 'name')).to.deep.equal([2, 3]);
    expect(await ids('message:2', 'link')).to.deep.equal([2, 3, 6]);
    expect(await ids('message:9', 'key')).to.deep.equal([8]);
  });

  it('takes the whole board when it is asked to', async () => {
    const board = { among: 'board' };
    expect(await ids('message:2', 'text', board)).to.deep.equal([2, 3, 4]);
    expect(await ids('message:2', 'name', board)).to.deep.equal([2, 3, 4, 7]);
    expect(await ids('message:6', 'link', board)).to.deep.equal([2, 3, 4, 6]);
    const host = { ...board, host: 'OTHER.example' };
    expect(await ids('message:6', 'link', host)).to.deep.equal([6]);
    expect(await ids('message:8', 'key', board)).to.deep.equal([8, 9]);
  });

  it('says of each row what a bulk needs', async () => {
    const found = await done<CommandAnswers['queue.select']>(
      select('message:2', 'link'),
    );
    expect(found).to.deep.include({
      ...{ value: 'shop.example', hosts: ['shop.example'] },
      ...{ total: 3, more: false },
    });
    expect(found.data[0]).to.deep.equal({
      ...{ subject: 'message:2', message_id: 2 },
      ...{ last_decision_id: null, reports: 2, main_reason: 'spam' },
      ...{ author: 'Seller', title: null },
      ...{ excerpt: 'Buy at https://shop.example/a now!', hidden: false },
    });
  });

  it('refuses what has nothing to compare', async () => {
    const cases: [Parameters<typeof select>, number, string][] = [
      [['message:5', 'text'], 410, 'content_removed'],
      [['message:5', 'name'], 410, 'content_removed'],
      [['message:5', 'link'], 410, 'content_removed'],
      [['message:2', 'key'], 404, 'not_signed'],
      [['message:1', 'link'], 400, 'invalid_input'],
      [['message:99', 'text'], 404, 'not_found'],
    ];
    for (const [asked, status, error] of cases) {
      const answer = await select(...asked);
      expect(answer.status, asked.join(' ')).to.equal(status);
      expect(answer.body.error, asked.join(' ')).to.equal(error);
    }
  });

  it('keeps nothing of a removed text, and finds it again with its text', async () => {
    const kept = async () => {
      const row = await rows(test).findOneByOrFail(Message, { id: 4 });
      return [row.textKey, row.linkHosts];
    };
    const before = await kept();
    await decideTo.remove(test, 4);
    expect(await kept()).to.deep.equal([null, null]);
    await decideTo.reinstate(test, 4);
    expect(await kept()).to.deep.equal(before);
  });

  it('finds messages of an earlier release once their keys are made', async () => {
    const { writes } = test.board.context;
    await rows(test).updateAll(Message, { textKey: null, linkHosts: null });
    const board = { among: 'board' };
    expect(await ids('message:2', 'text', board)).to.deep.equal([]);
    expect(await keyTexts(writes, () => true)).to.equal(8);
    expect(await ids('message:2', 'text', board)).to.deep.equal([2, 3, 4]);
    expect(await keyTexts(writes, () => true)).to.equal(0);
  });
});
