import { readPins, verifyProofText } from '../../../client/verify/verify.js';
import { recordFaults } from '../../faults/report.js';
import { type Agent, publishSigned, register } from '../../support/agent.js';
import { decideTo } from '../../support/decide.js';
import { FULL } from '../../support/full.js';
import { chosenSeed, randomOf } from '../../support/random.js';
import { A, givenMirror } from './support/linked.js';
import { pull } from './support/pull.js';

const BOARD = `/api/mesh/boards/${A}`;
const MESSAGES = 5;
const STEPS = FULL ? 50 : 15;

/** §R5 F15: what each side decides holds there, and proofs hold on. */
describe('removals here and there', () => {
  let agent: Agent;
  const scene = givenMirror({}, async ({ a }) => {
    agent = await register(a);
    await publishSigned(a, agent, { title: 'Topic', body: 'Secret text 1.' });
    for (let id = 2; id <= MESSAGES; id += 1) {
      await publishSigned(a, agent, {
        body: `Secret text ${id}.`,
        reply_to: 1,
      });
    }
  });

  it('are told apart after every step', async () => {
    const { a, b } = scene;
    const random = randomOf(chosenSeed());
    const removed = new Set<number>();
    const hidden = new Set<number>();
    for (let step = 0; step < STEPS; step += 1) {
      const id = 1 + Math.floor(random() * MESSAGES);
      if (random() < 0.5) {
        await (removed.has(id) ? decideTo.reinstate : decideTo.remove)(a, id);
        if (!removed.delete(id)) removed.add(id);
        // A text that is given back is a stub until it was fetched again.
        await pull(b, a);
      } else {
        const undo = hidden.has(id);
        await b.board.peerAdmin.hide(A, id, { undo, reason: 'legal' });
        if (!hidden.delete(id)) hidden.add(id);
      }
      for (let one = 1; one <= MESSAGES; one += 1) {
        await check(one, removed.has(one), hidden.has(one));
      }
    }
    await recordFaults({ test: 'F15', faults: STEPS });
  });

  async function check(id: number, gone: boolean, hidden: boolean) {
    const { a, b } = scene;
    const there = await a.as().get(`/api/messages/${id}`);
    expect(there.status, `${id} at its board`).to.equal(gone ? 404 : 200);
    const here = await b.as().get(`${BOARD}/messages/${id}`);
    const status = hidden ? 451 : gone ? 404 : 200;
    expect(here.status, `${id} at the mirror`).to.equal(status);
    if (status !== 200) expect(here.text).to.not.include('Secret');
    const proof = await b.as().get(`${BOARD}/messages/${id}/proof`);
    expect(proof.status).to.equal(hidden ? 451 : 200);
    if (hidden) return;
    const pins = readPins([a.logVkey]);
    if (!pins.ok) throw new Error(pins.reason);
    const proven = await verifyProofText(Buffer.from(proof.text), pins.value);
    expect(proven.ok && proven.value.removed, `proof of ${id}`).to.equal(gone);
  }
});
