import type { IncomingHttpHeaders } from 'node:http';
import { AGENT_WORDS } from '../heuristics.js';

/** What a network did on a UTC day, as bits of `session_day.flags`. */
export const READER = 1;
export const AGENT = 2;
export const WRITER = 4;
/** Diagnostic traffic came from it too, so it is no agent session. */
export const MONITOR = 8;
/** A request of it failed. */
export const AFFECTED = 16;

/**
 * Whether a client calls itself an agent: telemetry only (spec/board.md §2.17).
 */
export function isAgentLike(headers: IncomingHttpHeaders): boolean {
  if (headers['x-agent-name'] !== undefined) return true;
  const client = String(headers['user-agent'] ?? '').toLowerCase();
  return AGENT_WORDS.some((word) => client.includes(word));
}
