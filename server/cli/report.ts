import { inertBlock, inertJson } from '../../client/cli/inert.js';
import { publicTime } from '../clock.js';
import { listReports as list } from '../dashboard/commands/list-reports.js';
import { settleReports } from '../dashboard/commands/settle-reports.js';
import {
  listReportsInput,
  type ReportSeen,
  settleReportsInput,
} from '../dashboard/schemas/report-commands.js';
import { parseBody } from '../http/body/validate.js';
import { checked, integer, operatorOf } from './decision.js';
import { type JsonOption, print } from './output.js';
import { withOwnDesk } from './with-local-board.js';

type ListOptions = JsonOption & {
  status?: string;
  limit?: string;
  after?: string;
};
type ResolveOptions = JsonOption & {
  dismiss?: boolean;
  decision?: string;
  privateNote?: string;
  operator?: string;
};

/** `reserve-board report list`: reports, oldest first, with their texts. */
export async function listReports(options: ListOptions): Promise<void> {
  const { json = false, status, limit, after } = options;
  const asked = {
    ...(status === undefined ? {} : { status }),
    ...(limit === undefined ? {} : { limit: integer('--limit', limit) }),
    ...(after === undefined ? {} : { after }),
  };
  const input = checked(() => parseBody(listReportsInput, asked));
  const page = await withOwnDesk((desk) => list(desk, operatorOf(), input));
  const lines = page.data.map(line);
  const none = 'No report waits.';
  if (json) {
    const answer = { ok: true, ...page, count: page.data.length };
    process.stdout.write(`${inertJson(answer)}\n`);
    return;
  }
  const more =
    page.next === null ? [] : [`more: report list --after ${page.next}`];
  print(
    false,
    {},
    [...(lines.length > 0 ? lines : [none]), ...more].join('\n'),
  );
}

function line(it: ReportSeen): string {
  const about = `${it.request_id}  ${it.status}  ${it.subject}`;
  const head = `${about}  ${it.kind} (${it.reason}) of ${publicTime(it.created_at)}`;
  return it.detail ? `${head}\n${inertBlock(it.detail)}` : head;
}

/** `reserve-board report resolve <uuid…>`: settles them, all or none. */
export async function resolveReports(
  uuids: string[],
  options: ResolveOptions,
): Promise<void> {
  const { json = false, dismiss = false, decision, privateNote } = options;
  const asked = {
    report_ids: uuids,
    as: dismiss ? 'dismissed' : 'resolved',
    ...(decision === undefined
      ? {}
      : { decision_id: integer('--decision', decision) }),
    ...(privateNote === undefined ? {} : { private_note: privateNote }),
  };
  const input = checked(() => parseBody(settleReportsInput, asked));
  const operator = operatorOf(options.operator);
  const done = await withOwnDesk((desk) =>
    settleReports(desk, operator, input),
  );
  const names = done.report_ids.join(', ');
  print(json, { ok: true, ...done }, `Now ${done.status}: ${names}`);
}
