import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { plainUuid } from '../http/body/guess.js';
import { crossSite, formBody } from '../http/body/json-body.js';
import { parseBody } from '../http/body/validate.js';
import { requestNetwork } from '../http/network.js';
import { parseQuery, text } from '../http/query.js';
import { isCounted } from '../http/rate-limits/policies.js';
import {
  addWriteLimits,
  reportedChecks,
} from '../http/rate-limits/write-limits.js';
import { requestState } from '../http/request-state.js';
import type { LimitName } from '../limits.js';
import {
  reportForm,
  reportRequest,
  reportStatus,
  takeReport,
} from '../moderation/index.js';
import { findMessage } from '../reading/index.js';
import { EXCERPT_SOURCE } from './bodies.js';
import { formField, numberOrNull, pageQuery, sendPage } from './page-form.js';
import { type FormFields, type Reported, reportHtml } from './report-html.js';
import { receivedHtml, stateHtml, statePath } from './report-state.js';
import type { SiteContext } from './site-context.js';

const QUERY = pageQuery.extend({
  message: numberOrNull,
  board: formField(text().optional()),
});

/** GET /report (§7); its `request_id` makes repeated sends one report. */
export function reportPage(ctx: SiteContext): RequestHandler {
  return async (req, res) => {
    const { message, board = '' } = parseQuery(QUERY, req.originalUrl);
    const fields = {
      request_id: randomUUID(),
      ...(message === null ? {} : { message_id: String(message) }),
      ...(board === '' ? {} : { board }),
    };
    await sendForm(ctx, req, res, { fields, status: 200 });
  };
}

/** POST /report: like `/api/reports`. */
export function reportSent(ctx: SiteContext): readonly RequestHandler[] {
  const { baseUrl } = ctx.config;
  return [
    crossSite(baseUrl),
    formBody(baseUrl, ctx.limits.request_bytes),
    (req, res) => taken(ctx, req, res),
  ];
}

const LIMITS: readonly LimitName[] = reportForm.limits;
const REPORTED = LIMITS.filter(isCounted);

async function taken(
  ctx: SiteContext,
  req: Request,
  res: Response,
): Promise<void> {
  const fields: FormFields = req.body;
  const { limits } = ctx;
  try {
    const { receipt, fresh } = await takeReport(ctx, {
      body: parseBody(reportRequest(limits), asJson(fields)),
      req,
      network: () => {
        requestState(req).isCharged = true;
        return requestNetwork(req, ctx.trustedProxies);
      },
      reported: (counters) => reportedChecks(limits, REPORTED, counters),
    });
    await addWriteLimits(ctx, req, res, REPORTED);
    if (res.destroyed) return;
    // The statuses are those of `/api/reports`, so no redirect leads there.
    const state = statePath(receipt.request_id);
    res.set({ Location: state, Refresh: `0; url=${state}` });
    const page = receivedHtml(ctx, receipt);
    sendPage(req, res, page, fresh ? 201 : 200, false);
  } catch (error) {
    if (!(error instanceof BoardError)) throw error;
    // The reader can correct a field in the form.
    if (!error.extras.field || error.extras.scope) throw error;
    requestState(req).errorCode = error.code;
    await sendForm(ctx, req, res, { fields, status: error.status, error });
  }
}

const INTEGER = /^[1-9][0-9]{0,14}$/;

/** Empty fields are left out; numbers are numbers. */
function asJson(fields: FormFields): Record<string, unknown> {
  const filled = Object.entries(fields).filter(([, value]) => value !== '');
  const given: Record<string, unknown> = Object.fromEntries(filled);
  const { message_id: id } = fields;
  if (id !== undefined && INTEGER.test(id)) given.message_id = Number(id);
  return given;
}

type Sent = { fields: FormFields; status: number; error?: BoardError };

async function sendForm(
  ctx: SiteContext,
  req: Request,
  res: Response,
  { fields, status, error }: Sent,
): Promise<void> {
  const { message_id: id = '' } = fields;
  const reported = INTEGER.test(id)
    ? await shown(ctx, Number(id), fields)
    : null;
  // A new report needs a new UUID.
  const isKnown = error?.code === 'request_id_conflict';
  const kept = isKnown ? { ...fields, request_id: randomUUID() } : fields;
  const page = reportHtml(ctx, { fields: kept, reported, error });
  sendPage(req, res, page, status, false);
}

/** Null for an unknown one. */
async function shown(
  { reads, mirrors }: SiteContext,
  id: number,
  { board }: FormFields,
): Promise<Reported | null> {
  if (board === undefined) {
    const cut = { preview: EXCERPT_SOURCE, referencesMax: 0 };
    return (await findMessage(reads, id, cut)) ?? null;
  }
  try {
    const found = await mirrors.message(board, id, EXCERPT_SOURCE);
    return { ...found, board };
  } catch (error) {
    const code = error instanceof BoardError ? error.code : null;
    if (code === 'message_not_found') return null;
    throw error;
  }
}

/** GET /report/{uuid} */
export function reportState(ctx: Context): RequestHandler {
  return async (req, res) => {
    parseQuery(pageQuery, req.originalUrl);
    const uuid = plainUuid(req.params.uuid);
    const found = uuid === null ? null : await reportStatus(ctx, uuid);
    if (found === null) {
      throw new BoardError(
        'report_not_found',
        'No report has this number. If you sent one, go back and send it again: it arrives once only.',
      );
    }
    sendPage(req, res, stateHtml(ctx, found), 200, false);
  };
}
