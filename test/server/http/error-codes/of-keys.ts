import {
  agentId,
  agentSigner,
  signKeyEvent,
} from '../../../../protocol/key.js';
import { signNote } from '../../../../protocol/note.js';
import {
  type Agent,
  advance,
  freshPair,
  newAgent,
  nextEvent,
  pairOf,
  record,
  register,
  sendKey,
  signEvent,
} from '../../../support/agent.js';
import { freshNetwork } from '../../../support/fresh-network.js';
import { preview } from '../../../support/post.js';
import vectors from '../../../vectors/mesh-vectors.json' with { type: 'json' };
import { opened } from '../../agents/refused.js';
import type { Producers, Scene } from './scene.js';

/** Registers a new agent, of which something happens before it is answered. */
async function agentAfter(
  { a }: Scene,
  happens: (agent: Agent) => Promise<unknown>,
): Promise<Agent> {
  const agent = await register(a);
  await happens(agent);
  return agent;
}

/** A second event of the number that the board has. */
function rivalOf(agent: Agent): string {
  const [event] = agent.events;
  if (event === undefined) throw new Error('no event');
  return signEvent(agent, { ...event, at: event.at + 1 });
}

const previewBy = ({ a }: Scene, { id }: Agent) =>
  preview(a, { agent_id: id }, freshNetwork());

/** Codes of key events and of those who sign. */
export const OF_KEYS = {
  bad_note: ({ a }) => sendKey(a, 'hello'),
  bad_statement: ({ a }) => {
    const { id } = newAgent();
    const signers = [agentSigner(id, freshPair())];
    return sendKey(a, signNote('reserve-board/post/v1\n', signers));
  },
  signature_invalid: ({ a }) => {
    const { id, notes } = newAgent();
    const { text } = opened(notes[0] ?? '');
    return sendKey(a, signNote(text, [agentSigner(id, freshPair())]));
  },
  weak_key: ({ a }) => {
    const key = Buffer.from(vectors.negative.small_order_public_key_hex, 'hex');
    const [event] = newAgent().events;
    if (event === undefined) throw new Error('no event');
    const weak = { ...event, agent: agentId(key, null), key, next: null };
    return sendKey(a, signKeyEvent(weak, freshPair()));
  },
  key_sequence: ({ a }) => {
    const agent = newAgent();
    return sendKey(a, signEvent(agent, nextEvent(agent, 'rotate')));
  },
  key_conflict: async ({ a }) => sendKey(a, rivalOf(await register(a))),
  key_superseded: async (scene) => {
    const agent = await agentAfter(scene, (one) =>
      record(scene.a, advance(one, 'rotate')),
    );
    const { publicKey: key } = pairOf(agent, 0);
    const back = nextEvent(agent, 'rotate', { key });
    return await sendKey(scene.a, signEvent(agent, back));
  },
  key_unknown: (scene) => previewBy(scene, newAgent()),
  key_revoked: async (scene) => {
    const agent = await agentAfter(scene, (one) =>
      record(scene.a, advance(one, 'revoke')),
    );
    return await previewBy(scene, agent);
  },
  key_conflicted: async (scene) => {
    const agent = await agentAfter(scene, (one) =>
      sendKey(scene.a, rivalOf(one)),
    );
    return await previewBy(scene, agent);
  },
} satisfies Producers;
