import type { Request, RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';
import type { Context } from '../../context.js';
import { requestNetwork } from '../../http/request-network.js';
import { visitorOf } from '../session.js';
import { relyingParty } from '../session-origin.js';
import {
  type AccountAnswer,
  accountAnswer,
  answer,
  type BoardAnswer,
  boardAnswer,
  type Method,
} from './answers.js';

export type AccessState = {
  signed_in: boolean;
  /** What this page can sign in with. */
  methods: Method[];
  board: BoardAnswer;
} & Partial<AccountAnswer> & {
    /** The network that limits see this browser as; nothing stores it. */
    network?: string;
  };

/**
 * GET /admin/api/access: whether there is a session, whose it is, and what can
 * be signed in with. Always 200.
 */
export function accessState(ctx: Context): RequestHandler {
  return (req, res) => {
    const operator = visitorOf(req);
    const passkeys = relyingParty(ctx, req) !== null;
    const state: AccessState = {
      signed_in: operator !== null,
      methods: passkeys ? ['passkey', 'passphrase'] : ['passphrase'],
      board: boardAnswer(ctx),
      ...(operator === null
        ? {}
        : { ...accountAnswer(operator), network: networkText(ctx, req) }),
    };
    answer(req, res, state);
  };
}

/** As limits count it: an address, or the first half of an IPv6 one. */
function networkText(ctx: Context, req: Request): string {
  const [tag, ...bytes] = requestNetwork(req, ctx.trustedProxies);
  const whole = tag === 4 ? bytes : [...bytes, ...Array<number>(8).fill(0)];
  const text = ipaddr.fromByteArray(whole).toString();
  return tag === 4 ? text : `${text}/64`;
}
