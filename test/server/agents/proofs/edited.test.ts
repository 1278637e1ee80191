import fc from 'fast-check';
import { verifyProof } from '../../../../protocol/proof.js';
import type { Vkey } from '../../../../protocol/vkey.js';
import {
  type Agent,
  advance,
  publishSigned,
  record,
  register,
} from '../../../support/agent.js';
import { decideTo } from '../../../support/decide.js';
import { FULL } from '../../../support/full.js';
import { givenBoard } from '../../../support/hooks.js';
import { publish } from '../../../support/post.js';
import { pinnedKey } from './pinned.js';

const EDITS = FULL ? 5000 : 1000;
type Edit = { at: number; kind: 'replace' | 'insert' | 'delete'; byte: number };

const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat({ max: 1_000_000 }),
  kind: fc.constantFrom('replace', 'insert', 'delete'),
  byte: fc.integer({ min: 0, max: 255 }),
});

function edited(bytes: Buffer, { at, kind, byte }: Edit): Buffer {
  const place = at % bytes.length;
  const rest = bytes.subarray(kind === 'insert' ? place : place + 1);
  const more = kind === 'delete' ? [] : [byte];
  return Buffer.concat([bytes.subarray(0, place), Buffer.from(more), rest]);
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** The JSON without its advisory members, however they are spelt now. */
function proving(json: unknown): string {
  const members = Object.entries(json as object).filter(([name]) =>
    PROVING.has(name),
  );
  return JSON.stringify(members);
}

const PROVING = new Set([
  ...['format', 'state', 'board', 'origin', 'message_id', 'signature_status'],
  ...['agent_id', 'key_seq', 'keys', 'index', 'leaf', 'content', 'inclusion'],
  ...['checkpoint', 'cosigners', 'removal'],
]);

describe('an edited proof', () => {
  const test = givenBoard({ lifted: true });
  let pinned: Vkey;
  let agent: Agent;

  before(async () => {
    agent = await register(test);
    await record(test, advance(agent, 'rotate'));
    pinned = await pinnedKey(test);
    await publish(test);
  });

  async function proof(removed: boolean): Promise<Buffer> {
    const { message } = await publishSigned(test, agent, {
      reply_to: 1,
      vote: removed ? 1 : -1,
      body: 'Bytes \u{1f511} of a text',
      name: 'ann',
    });
    const { id } = message;
    if (removed) await decideTo.remove(test, id);
    for (let n = 0; n < 3; n += 1) await publish(test, { body: `More ${n}` });
    const { text } = await test.as().get(`/api/messages/${id}/proof`);
    return Buffer.from(text, 'utf8');
  }

  for (const removed of [false, true]) {
    const what = removed ? 'a removed message' : 'a message';
    it(`of ${what} is refused, ${EDITS} edits over`, async () => {
      const bytes = await proof(removed);
      const original = parsed(bytes);
      const shown = verifyProof(original, pinned);
      expect(shown.ok).to.equal(true);
      let refused = 0;
      fc.assert(
        fc.property(edit, (one) => {
          const json = parsed(edited(bytes, one));
          const verdict = json === undefined ? null : verifyProof(json, pinned);
          if (verdict?.ok !== true) {
            refused += 1;
            return;
          }
          // White space, or a byte of what is only said: nothing else.
          expect(verdict.value).to.deep.equal(shown.ok && shown.value);
          expect(proving(json)).to.equal(proving(original));
        }),
        { numRuns: EDITS },
      );
      expect(refused).to.be.greaterThan(EDITS * 0.85);
    });
  }
});
