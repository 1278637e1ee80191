import { Ticket } from '../../../server/db/entities/ticket.js';
import { networkOf } from '../../../server/http/network.js';
import { ticketHash } from '../../../server/tickets/index.js';
import { givenBoard } from '../../support/hooks.js';
import {
  filled,
  preview,
  publish,
  request,
  submit,
} from '../../support/post.js';
import { randomBytes } from '../../support/random.js';
import { expectRefusal, type Refusal, unknown } from './refusals.js';

const INVALID: Refusal = { status: 400, error: 'ticket_invalid' };
const HOUR = 3_600_000;

describe('tickets of a write', () => {
  const test = givenBoard({ lifted: true });

  const send = (body: object, from?: string) => submit(test, body, from);

  it('are refused in any other spelling', async () => {
    const template = filled(await preview(test, {}));
    const ticket = String(template.ticket);
    const bytes = Buffer.from(ticket, 'base64url');
    const last = ticket.slice(-1);
    for (const other of [
      `${ticket} `,
      ` ${ticket}`,
      `${ticket}=`,
      `${ticket}A`,
      ticket.slice(0, -1),
      ticket.slice(1),
      ticket.toLowerCase(),
      bytes.toString('hex'),
      // the same 32 bytes for a lenient decoder
      ticket.slice(0, -1) + String.fromCharCode(last.charCodeAt(0) + 1),
      'x'.repeat(60_000),
      randomBytes(32).toString('base64url'),
    ]) {
      expectRefusal(await send({ ...template, ticket: other }), INVALID);
    }
  });

  it('are taken with confirm as it is written, and no signature of a guest', async () => {
    const template = filled(await preview(test, {}));
    const { confirm: _, ...noConfirm } = template;
    const unconfirmed: Refusal = {
      status: 400,
      error: 'confirmation_required',
      field: 'confirm',
    };
    expectRefusal(await send(noConfirm), unconfirmed);
    for (const confirm of [
      '',
      'yes',
      'Publish-Publicly',
      'publish-publicly ',
    ]) {
      expectRefusal(await send({ ...template, confirm }), unconfirmed);
    }
    const signed = { ...template, signature: 'x' };
    expectRefusal(await send(signed), unknown('signature'));
  });

  it('live for 600 s, and say what to do afterwards', async () => {
    const post = request();
    const early = filled(await preview(test, post));
    const late = filled(await preview(test, request()));
    test.clock.advance(600_000);
    expect((await send(early)).status).to.equal(201);
    test.clock.advance(1);
    const answer = await send(late);
    expectRefusal(answer, { status: 400, error: 'ticket_expired' });
    const { suggested_action: action } = answer.body;
    expect(action.method).to.equal('GET');
    const uuid = action.url.split('/api/requests/')[1];
    expect(action.instruction).to.include(uuid);
  });

  it('can be renewed by the same content and request_id', async () => {
    const post = request();
    const old = filled(await preview(test, post));
    test.clock.advance(600_001);
    expect((await send(old)).body.error).to.equal('ticket_expired');
    const fresh = filled(await preview(test, post));
    expect((await send(fresh)).status).to.equal(201);
    expect((await send(old)).body.status).to.equal('already_published');
  });

  it('recover the receipt until 24 hours after their expiry', async () => {
    const template = filled(await preview(test, {}));
    const first = await send(template);
    test.clock.advance(600_000 + 24 * HOUR);
    const again = await send({ ...template, answer: 'anything at all' });
    expect(again.status).to.equal(200);
    expect(again.body).to.deep.equal({
      ...first.body,
      status: 'already_published',
    });
  });

  it('hold nothing that names their network', async () => {
    const from = '198.51.100.213';
    await publish(test, {}, from);
    const rows = await test.board.context.writes.query<{ row: string }>(
      `SELECT row_to_json(k)::text AS row FROM ticket k
       UNION ALL SELECT row_to_json(b)::text FROM budget_spend b`,
    );
    const stored = rows.map(({ row }) => row).join('\n');
    expect(stored).not.to.include(from);
    expect(stored).not.to.include('c63364d5'); // its four bytes
  });
});

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
