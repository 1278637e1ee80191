import type { Request, Response } from 'express';
import { publicTime } from '../../clock.js';
import type { Context } from '../../context.js';
import { sendJson } from '../../http/conditional.js';
import type { Role } from '../roles.js';
import { FRESH_MS, type SignedIn } from '../session.js';

/** The account and the device that a request belongs to. */
export type AccountAnswer = {
  operator: { id: string; name: string; alias: string; role: Role };
  session: {
    id: string;
    method: SignedIn['method'];
    expires_at: string;
    /** Until then no credential is asked again. */
    fresh_until: string;
  };
};

/** `reserve-board` answers every request of operators uncached. */
export function answer(
  req: Request,
  res: Response,
  value: object,
  status = 200,
): void {
  sendJson(req, res, value, { cache: 'no-store', status });
}

export function accountAnswer(it: SignedIn): AccountAnswer {
  const { operatorId: id, name, alias, role } = it;
  return {
    operator: { id, name, alias, role },
    session: {
      id: it.sessionId,
      method: it.method,
      expires_at: publicTime(it.expiresAt),
      fresh_until: publicTime(it.credentialAt + FRESH_MS),
    },
  };
}

/** How somebody can prove who they are on the page that asks. */
export type Method = 'passkey' | 'passphrase';

/** What the pages say about the board before anybody is signed in. */
export type BoardAnswer = { name: string; title: string };

export function boardAnswer({ board, config }: Context): BoardAnswer {
  return { name: board.name, title: config.boardTitle };
}
