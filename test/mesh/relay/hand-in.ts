import type { Response } from 'supertest';
import { type Content, contentHash } from '../../../protocol/content.js';
import { agentSigner } from '../../../protocol/key.js';
import { type Signer, signNote } from '../../../protocol/note.js';
import {
  envelopeToJson,
  type Relay,
  signRelay,
} from '../../../protocol/relay.js';
import {
  formatStatement,
  messageHash,
  type Statement,
} from '../../../protocol/statement.js';
import { type Agent, currentPair, signed } from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import { type Post, request } from '../../support/post.js';
import { randomBytes, randomUUID } from '../../support/random.js';
import { A, B, type Linked } from './linked-boards.js';

export type Via = { post: Record<string, unknown>; answer: Response };

export async function postVia(
  at: TestBoard,
  agent: Agent,
  post: Post = {},
  from?: string,
): Promise<Via> {
  const body = request({ agent_id: agent.id, board: A, ...post });
  const previewed = await at.as(from).post('/write/preview').send(body);
  if (previewed.status !== 200) {
    throw new Error(`preview: ${previewed.status} ${previewed.text}`);
  }
  const answer = await at.post(
    '/write/publish',
    signed(previewed, currentPair(agent)),
    from,
  );
  return { post: body, answer };
}

export type HandIn = {
  statement?: Partial<Statement>;
  content?: Partial<Content>;
  relay?: Partial<Relay>;
  keys?: string[];
  /** The key of the relay note; B's own where it is not given. */
  node?: Signer;
  hashed?: Content;
};

export function relayBody(
  { b, clock }: Pick<Linked, 'b' | 'clock'>,
  agent: Agent,
  it: HandIn = {},
) {
  const isTopic = (it.statement?.parent ?? null) === null;
  const content: Content = {
    salt: randomBytes(16),
    name: 'scout',
    ...(isTopic ? { title: 'Handed in' } : {}),
    body: 'Handed in by another node.',
    ...it.content,
  };
  const statement: Statement = {
    board: A,
    agent: agent.id,
    request: randomUUID(),
    at: clock.now(),
    room: 'lobby',
    parent: null,
    content: contentHash(it.hashed ?? content),
    ...it.statement,
  };
  const note = signNote(formatStatement(statement), [
    agentSigner(agent.id, currentPair(agent)),
  ]);
  const relayNote = signRelay(
    {
      from: B,
      to: A,
      request: statement.request,
      message: messageHash(formatStatement(statement)),
      network: randomBytes(16),
      at: clock.now(),
      ...it.relay,
    },
    it.node ?? b.board.context.keys.node,
  );
  const keys = it.keys ?? agent.notes;
  return {
    relay_note: relayNote,
    envelope: envelopeToJson({ note, content, keys }),
  };
}

export async function handIn(
  boards: Pick<Linked, 'a' | 'b' | 'clock'>,
  agent: Agent,
  it: HandIn = {},
): Promise<Response> {
  return await send(boards.a, relayBody(boards, agent, it));
}

export async function send(to: TestBoard, body: object): Promise<Response> {
  return await to.as('198.51.100.9').post('/api/mesh/relay').send(body);
}

export function parentOf(receipt: {
  message: { id: number };
  message_hash: string;
}) {
  const { message, message_hash } = receipt;
  return { id: message.id, hash: Buffer.from(message_hash, 'base64') };
}

/** What a hand-in answers, as `403 key_unknown` or `201 published`. */
export async function codeOf(
  boards: Pick<Linked, 'a' | 'b' | 'clock'>,
  agent: Agent,
  it: HandIn,
): Promise<string> {
  const { status, body } = await handIn(boards, agent, it);
  return `${status} ${body.error ?? body.status}`;
}
