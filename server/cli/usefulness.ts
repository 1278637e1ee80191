import { DAY_MS, systemClock, utcDay } from '../clock.js';
import { draftUsefulness as draft } from '../dashboard/commands/draft-usefulness.js';
import { publishUsefulness as publish } from '../dashboard/commands/publish-usefulness.js';
import {
  draftUsefulnessInput,
  publishUsefulnessInput,
} from '../dashboard/schemas/usefulness-commands.js';
import { parseBody } from '../http/body/validate.js';
import { checked, integer, operatorOf } from './decision.js';
import { type JsonOption, print } from './output.js';
import { withOwnDesk } from './with-local-board.js';

type DraftOptions = JsonOption & {
  from?: string;
  to?: string;
  note?: string;
  operator?: string;
};
type PublishOptions = JsonOption & { note?: string; operator?: string };

const PERIOD_DAYS = 7;

/** `reserve-board usefulness draft`: figures of a period, not yet public. */
export async function draftUsefulness(options: DraftOptions): Promise<void> {
  const { json = false, note = '' } = options;
  const to = options.to ?? utcDay(systemClock.now());
  const from = options.from ?? daysBefore(to, PERIOD_DAYS);
  const input = checked(() =>
    parseBody(draftUsefulnessInput, { from, to, note }),
  );
  const operator = operatorOf(options.operator);
  const report = await withOwnDesk((desk) => draft(desk, operator, input));
  const lines = [
    JSON.stringify(report, null, 2),
    `Draft ${report.id}; make it public with: reserve-board usefulness publish ${report.id}`,
  ];
  print(json, { ok: true, report }, lines.join('\n'));
}

function daysBefore(day: string, days: number): string {
  const end = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(end) ? day : utcDay(end - days * DAY_MS);
}

/** `reserve-board usefulness publish <id>`: for ever. */
export async function publishUsefulness(
  id: string,
  options: PublishOptions,
): Promise<void> {
  const { json = false, note } = options;
  const asked = {
    id: integer('id', id),
    ...(note === undefined ? {} : { note }),
  };
  const input = checked(() => parseBody(publishUsefulnessInput, asked));
  const operator = operatorOf(options.operator);
  const report = await withOwnDesk((desk) => publish(desk, operator, input));
  print(
    json,
    { ok: true, report },
    `Published report ${report.id} (${report.period.start} to ${report.period.end}).`,
  );
}
