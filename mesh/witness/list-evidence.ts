import type { RequestHandler } from 'express';
import type { Context } from '../../server/context.js';
import { sendJson } from '../../server/http/conditional.js';
import { meshTime } from '../mesh-time.js';
import type { EvidenceList } from './contract.js';

type Row = { sha256: string; origin: string; kind: string; at: number };

/**
 * GET /api/mesh/evidence → {data: [{sha256, origin, kind, at, url}], count}:
 * all that this board has verified, oldest first (spec/mesh.md §B8, §B13).
 */
export function listEvidence(ctx: Context): RequestHandler {
  return async (req, res) => {
    const rows = await ctx.reads.query<Row>(
      `SELECT encode(sha256, 'hex') AS sha256, origin, kind, at FROM evidence
       ORDER BY at, sha256`,
    );
    const answer: EvidenceList = {
      data: rows.map((row) => ({
        ...row,
        at: meshTime(row.at),
        url: `${ctx.config.baseUrl}/api/mesh/evidence/${row.sha256}`,
      })),
      count: rows.length,
    };
    sendJson(req, res, answer, { cache: 'revalidate' });
  };
}
