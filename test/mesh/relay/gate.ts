import { httpProxy } from '../../support/http-proxy.js';
import type { Serving } from '../../support/serving.js';

/**
 * What a gate does with a request: pass it on and lose the answer, pass it on
 * and tell somebody before the answer goes back, or change that, tell somebody
 * and never answer, or answer itself.
 */
export type GateRule =
  | 'drop'
  | { silent: () => void }
  | { status: number; body: unknown }
  | { status: number; text: string }
  | {
      answered?: () => Promise<void>;
      seen?: (body: string) => void;
      told?: (answer: string) => string;
    };

const headers = { 'Content-Type': 'application/json' };

export const startGate = (board: string, rule: GateRule): Promise<Serving> =>
  httpProxy(board, async ({ method, path, body }, honest) => {
    // Hints and cosignatures of a mirror pass here as well.
    const isRelay = path === '/api/mesh/relay';
    if (rule !== 'drop' && 'silent' in rule) {
      if (isRelay) rule.silent();
      return await new Promise(() => {});
    }
    if (rule !== 'drop' && 'status' in rule) {
      const text = 'text' in rule ? rule.text : JSON.stringify(rule.body);
      return { status: rule.status, headers, body: text };
    }
    const answer = await honest();
    if (rule === 'drop') return null;
    if (isRelay) {
      rule.seen?.(body);
      await rule.answered?.();
    }
    const told = method === 'GET' ? undefined : rule.told?.(answer.body);
    return { ...answer, body: told ?? answer.body };
  });
