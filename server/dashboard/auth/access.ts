import type { Request } from 'express';
import ipaddr from 'ipaddr.js';
import type { Context } from '../../context.js';
import { requestNetwork } from '../../http/network.js';
import { command } from '../command.js';
import { visitorOf } from '../session.js';
import { accountAnswer, boardAnswer, methodsOf } from './fields.js';

/** As limits count it: an address, or the first half of an IPv6 one. */
function networkText(ctx: Context, req: Request): string {
  const [tag, ...bytes] = requestNetwork(req, ctx.trustedProxies);
  const whole = tag === 4 ? bytes : [...bytes, ...Array<number>(8).fill(0)];
  const text = ipaddr.fromByteArray(whole).toString();
  return tag === 4 ? text : `${text}/64`;
}

/**
 * Whether there is a session, whose it is, and what can be signed in with.
 * Always 200. `network` is the one that limits see; nothing stores it.
 */
export const accessState = command({
  name: 'access.state',
  http: 'GET /access',
  right: 'anyone',
  handle: ({ ctx, req }) => {
    const operator = visitorOf(req);
    return {
      signed_in: operator !== null,
      methods: methodsOf(ctx, req),
      board: boardAnswer(ctx),
      ...(operator === null
        ? {}
        : { ...accountAnswer(operator), network: networkText(ctx, req) }),
    };
  },
});
