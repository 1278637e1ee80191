import { randomBytes } from 'node:crypto';
import {
  type Agent,
  agentFromSeed,
  type BoardClient,
  type ClientOptions,
  createClient,
} from '../../client/board-client.js';
import { newIdentity } from '../../client/identity.js';
import type { DemoNode } from './node.js';

export type Traveller = { agent: Agent; notes: readonly string[] };

export async function newTraveller(): Promise<Traveller> {
  const seed = randomBytes(32);
  const made = await newIdentity(seed, randomBytes(32), Date.now());
  return { agent: await agentFromSeed(made.agentId, seed), notes: made.notes };
}

export async function clientAt(
  { url: board }: Pick<DemoNode, 'url'>,
  { agent, notes }: Traveller,
  options: Pick<ClientOptions, 'fetch'> = {},
): Promise<BoardClient> {
  const client = createClient({ ...options, board, agent, name: 'traveller' });
  for (const note of notes) await client.sendKeyEvent(note);
  return client;
}
