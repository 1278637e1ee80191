import type { draft, Reply } from '../../support/wire.js';

/** `ok`: done, `fail`: refused, `info`: no answer came, or a 503. */
export type Answered<Ok> =
  | { kind: 'ok'; value: Ok }
  | { kind: 'fail'; status: number; error: string }
  | { kind: 'info' };

type Deed<Op extends string, Req, Ok> = {
  /** When it was sent and when its answer came, in ms of one clock. */
  t: number;
  end: number;
  op: Op;
  req: Req;
  res: Answered<Ok>;
};

export type Publish = Deed<
  'publish',
  {
    requestId: string;
    body: string;
    title: string | null;
    replyTo: number | null;
    vote: number;
    network: string;
  },
  /** The receipt's JSON; `fresh` where it says `published`. */
  { id: number; messageHash: string; receipt: string; fresh: boolean }
>;

export type Rate = Deed<
  'rate',
  { messageId: number; vote: number; network: string },
  { fresh: boolean }
>;

export type CastBallot = Deed<
  'ballot',
  { pollId: number; choice: number; network: string },
  { fresh: boolean }
>;

export type Follow = Deed<'follow', { path: string }, { ids: number[] }>;

/** A removal, or a reinstatement, of a message whose body was `text`. */
export type Remove = Deed<
  'remove' | 'reinstate',
  { id: number; text: string },
  null
>;

export type History = (Publish | Rate | CastBallot | Follow | Remove)[];

export function deedsOf<Op extends History[number]['op']>(
  history: History,
  op: Op,
): Extract<History[number], { op: Op }>[] {
  return history.filter(
    (deed): deed is Extract<History[number], { op: Op }> => deed.op === op,
  );
}

export const asked = (
  { request_id, body, ...more }: ReturnType<typeof draft>,
  network = '203.0.113.1',
): Publish['req'] => ({
  requestId: request_id,
  body,
  title: 'title' in more ? (more.title ?? null) : null,
  replyTo: 'reply_to' in more ? (more.reply_to ?? null) : null,
  vote: 0,
  network,
});

/** A publish that ends now; of no reply nobody knows what came. */
export function publishDeed(
  req: Publish['req'],
  t: number,
  reply: Pick<Reply, 'status' | 'body'> | null,
): Publish {
  const deed = { t, end: performance.now(), op: 'publish' as const, req };
  if (reply === null) return { ...deed, res: { kind: 'info' } };
  const { status, body } = reply;
  if (status !== 200 && status !== 201) {
    return { ...deed, res: { kind: 'fail', status, error: `${body.error}` } };
  }
  const value = {
    id: (body.message as { id: number }).id,
    messageHash: String(body.message_hash),
    receipt: bareReceipt(body),
    fresh: status === 201,
  };
  return { ...deed, res: { kind: 'ok', value } };
}

export function bareReceipt(receipt: Record<string, unknown>): string {
  const { status: _, ...rest } = receipt;
  return JSON.stringify(rest);
}
