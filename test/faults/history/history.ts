/**
 * What came of a request: `ok` it was done, `fail` it was refused, `info`
 * nobody knows, because no answer came or it was a 503.
 */
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

/** One reader's way along a cursor, all its pages together. */
export type Follow = Deed<'follow', { path: string }, { ids: number[] }>;

/** A removal, or a reinstatement, of a message whose body was `text`. */
export type Remove = Deed<
  'remove' | 'reinstate',
  { id: number; text: string },
  null
>;

export type History = (Publish | Rate | CastBallot | Follow | Remove)[];

/** The deeds of one kind. */
export function deedsOf<Op extends History[number]['op']>(
  history: History,
  op: Op,
): Extract<History[number], { op: Op }>[] {
  return history.filter(
    (deed): deed is Extract<History[number], { op: Op }> => deed.op === op,
  );
}

/** A receipt without the one member that differs in a retry. */
export function bareReceipt(receipt: Record<string, unknown>): string {
  const { status: _, ...rest } = receipt;
  return JSON.stringify(rest);
}
