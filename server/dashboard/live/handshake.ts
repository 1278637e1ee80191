import type { IncomingMessage } from 'node:http';
import type { Context } from '../../context.js';
import { requestNetwork } from '../../http/request-network.js';
import { readSession, type SignedIn } from '../session.js';
import { isOwnOrigin } from '../session-origin.js';
import type { SocketPlaces } from './connection-limit.js';

type Decide = (error: string | null | undefined, success: boolean) => void;

const sessions = new WeakMap<IncomingMessage, SignedIn>();

/**
 * Refuses every handshake without the dashboard's exact Origin and a live
 * session (spec/operators.md §1.4); `null` and no Origin are refused as well,
 * and those beyond what a session or a network may hold open.
 */
export function allowRequest(
  ctx: Context,
  places: SocketPlaces,
): (req: IncomingMessage, decide: Decide) => void {
  const judge = async (req: IncomingMessage): Promise<boolean> => {
    if (req.headers.origin === undefined || !isOwnOrigin(ctx, req)) {
      return false;
    }
    const session = await readSession(ctx, req.headers.cookie);
    if (session === null || ctx.stopping.aborted) return false;
    const network = requestNetwork(req, ctx.trustedProxies);
    const leave = places.enter(session.sessionId, network);
    if (leave === null) return false;
    if (req.socket.destroyed) leave();
    else req.socket.once('close', leave);
    sessions.set(req, session);
    return true;
  };
  return (req, decide) => {
    judge(req).then(
      (fine) => decide(fine ? null : 'forbidden', fine),
      (error: unknown) => {
        ctx.log.warn({ err: error }, 'a handshake could not be judged');
        decide('unavailable', false);
      },
    );
  };
}

/** The session that a handshake came with. */
export function sessionOf(req: IncomingMessage): SignedIn | null {
  return sessions.get(req) ?? null;
}
