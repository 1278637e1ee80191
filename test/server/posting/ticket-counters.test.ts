import { expect } from 'chai';
import { Ticket } from '../../../server/db/entities/ticket.js';
import { networkOf } from '../../../server/http/network.js';
import { ticketHash } from '../../../server/tickets/index.js';
import { givenBoard } from '../../support/hooks.js';
import { filled, preview } from '../../support/post.js';

const NETWORK = '198.51.100.77';

describe('the counters in a ticket', () => {
  const test = givenBoard({ limits: { topics_per_source_hour: 2 } });
  const tickets = () => test.board.context.writes.manager.getRepository(Ticket);
  const publish = async (template: object) =>
    (await test.as(NETWORK).post('/write/publish').send(template)).status;

  it('are equal in no two tickets of one network, and work', async () => {
    const previews = [
      await preview(test, { title: 'One' }, NETWORK),
      await preview(test, { title: 'Two' }, NETWORK),
    ];
    const rows = await tickets().find();
    expect(rows).to.have.length(2);
    const parts = rows.flatMap(({ sealedCounters: sealed, ...row }) => {
      expect([row.netPrev, row.netDay, row.netNext]).to.deep.equal([
        ...[null, null, null],
      ]);
      expect(sealed).to.have.length(96);
      const text = sealed?.toString('hex') ?? '';
      return [text.slice(0, 64), text.slice(64, 128), text.slice(128)];
    });
    expect(new Set(parts)).to.have.property('size', 6);
    for (const one of previews) {
      expect(await publish(filled(one))).to.equal(201);
    }
  });

  it('are read as they are in a ticket of release 0.2.0', async () => {
    const { networkKeys } = test.board.context;
    test.clock.advance(3_600_000);
    const network = networkOf(NETWORK, undefined, []);
    const names = await networkKeys.counterKeys(network);
    const old = async (title: string) => {
      const template = filled(await preview(test, { title }, NETWORK));
      await tickets().update(
        { ticketHash: ticketHash(String(template.ticket)) },
        {
          sealedCounters: null,
          netPrev: names.yesterday,
          netDay: names.today,
          netNext: names.tomorrow,
        },
      );
      return template;
    };
    // Its topics count for the network that previewed: two of an hour.
    const templates = [
      await old('Three'),
      await old('Four'),
      await old('Five'),
    ];
    const answers = [];
    for (const it of templates) answers.push(await publish(it));
    expect(answers.slice(0, 2)).to.deep.equal([201, 201]);
    expect(answers[2]).to.equal(429);
  });
});
