import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a request is the board's own monitoring: it counts in no visit and
 * operation counter, and in everything else (spec/board.md §0.4).
 */
export function isMonitor(headers: IncomingHttpHeaders): boolean {
  return headers['x-board-source'] === 'board-monitor';
}
