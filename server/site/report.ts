import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { crossSite, formBody } from '../http/body/json-body.js';
import { parseBody } from '../http/body/validate.js';
import { requestNetwork } from '../http/network.js';
import { parseQuery, pathUuid } from '../http/query.js';
import {
  addWriteLimits,
  reportedChecks,
} from '../http/rate-limits/write-limits.js';
import { requestState } from '../http/request-state.js';
import {
  reportForm,
  reportRequest,
  reportStatus,
  takeReport,
} from '../moderation/index.js';
import { findMessage } from '../reading/index.js';
import { EXCERPT_SOURCE } from './bodies.js';
import { numberOrNull, pageQuery, sendPage } from './page-form.js';
import { type FormFields, reportHtml } from './report-html.js';
import { receivedHtml, stateHtml } from './report-state.js';

const QUERY = pageQuery.extend({ message: numberOrNull });

/** GET /report (§7); its `request_id` makes repeated sends one report. */
export function reportPage(ctx: Context): RequestHandler {
  return async (req, res) => {
    const { message } = parseQuery(QUERY, req.originalUrl);
    const fields = {
      request_id: randomUUID(),
      ...(message === null ? {} : { message_id: String(message) }),
    };
    await sendForm(ctx, req, res, { fields, status: 200 });
  };
}

/** POST /report: like `/api/reports`. */
export function reportSent(ctx: Context): readonly RequestHandler[] {
  const { baseUrl } = ctx.config;
  return [
    crossSite(baseUrl),
    formBody(baseUrl, ctx.limits.request_bytes),
    (req, res) => taken(ctx, req, res),
  ];
}

async function taken(ctx: Context, req: Request, res: Response): Promise<void> {
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
      reported: (counters) =>
        reportedChecks(limits, reportForm.limits, counters),
    });
    await addWriteLimits(ctx, req, res, reportForm.limits);
    if (res.destroyed) return;
    const page = receivedHtml(ctx, receipt);
    sendPage(req, res, page, fresh ? 201 : 200, false);
  } catch (error) {
    if (!(error instanceof BoardError) || !isMendable(error)) throw error;
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

/** The reader can correct it in the form. */
function isMendable({ extras }: BoardError): boolean {
  return extras.field !== undefined && extras.scope === undefined;
}

type Sent = { fields: FormFields; status: number; error?: BoardError };

async function sendForm(
  ctx: Context,
  req: Request,
  res: Response,
  { fields, status, error }: Sent,
): Promise<void> {
  const { message_id: id = '' } = fields;
  const cut = { preview: EXCERPT_SOURCE, referencesMax: 0 };
  const reported = INTEGER.test(id)
    ? ((await findMessage(ctx.reads, Number(id), cut)) ?? null)
    : null;
  // A new report needs a new UUID.
  const isKnown = error?.code === 'request_id_conflict';
  const kept = isKnown ? { ...fields, request_id: randomUUID() } : fields;
  const page = reportHtml(ctx, { fields: kept, reported, error });
  sendPage(req, res, page, status, false);
}

/** GET /report/{uuid} */
export function reportState(ctx: Context): RequestHandler {
  return async (req, res) => {
    parseQuery(pageQuery, req.originalUrl);
    const uuid = pathUuid(req.params.uuid);
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
