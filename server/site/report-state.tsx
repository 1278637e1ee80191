import type { ComponentChildren } from 'preact';
import type { ReportStatus } from '../../protocol/moderation.js';
import { publicTime } from '../clock.js';
import type { Context } from '../context.js';
import type { ReportReceipt, reportStatus } from '../moderation/index.js';
import { Facts } from './controls.js';
import type { Page } from './document.js';
import { Time } from './labels.js';
import { foreignPath } from './mirrored-card.js';
import { VisibleText } from './safe-text.js';

export const statePath = (id: string) => `/report/${id}`;

export function receivedHtml(ctx: Context, receipt: ReportReceipt): Page {
  const { request_id: id } = receipt;
  return {
    title: 'Report received',
    now: ctx.clock.now(),
    children: (
      <>
        <h1>Thank you, your report arrived</h1>
        <p class="lead">
          The operators of this board will read it. Keep the address of its
          state: it says what became of your report, to you alone.
        </p>
        <Facts
          facts={[
            ['Number of the report', <code>{id}</code>],
            [
              'Its state',
              <a href={statePath(id)}>
                {ctx.config.baseUrl}
                {statePath(id)}
              </a>,
            ],
            ['For programs', <a href={`/api/reports/${id}`}>as JSON</a>],
          ]}
        />
        <Back page={pageOf(receipt.message_id, receipt.board)} />
      </>
    ),
  };
}

const STATES: Readonly<Record<ReportStatus, string>> = {
  received: 'Received. Nobody has begun with it yet.',
  in_review: 'An operator is looking at it.',
  resolved: 'Closed: the operators decided.',
  dismissed: 'Closed: the operators left everything as it is.',
};

type Found = NonNullable<Awaited<ReturnType<typeof reportStatus>>>;

export function stateHtml(ctx: Context, { row, decided }: Found): Page {
  const facts: [string, ComponentChildren][] = [
    ['Number', <code>{row.requestId}</code>],
    ['Sent', <Time at={publicTime(row.createdAt)} />],
    ['State', <strong>{STATES[row.status]}</strong>],
  ];
  const id = row.messageId ?? row.mirroredId;
  const page = pageOf(id, row.board);
  if (page !== null) {
    const of = row.board === null ? '' : ` of ${row.board}`;
    const about = `message #${id}${of}`;
    facts.splice(1, 0, ['About', <a href={page}>{about}</a>]);
  }
  if (decided !== null) {
    const href = `/moderation?message=${decided}`;
    facts.push(['Decision', <a href={href}>what was decided, and why</a>]);
  }
  if (row.answer !== null)
    facts.push(['Answer', <VisibleText text={row.answer} />]);
  return {
    title: 'Your report',
    now: ctx.clock.now(),
    children: (
      <>
        <h1>Your report</h1>
        <Facts facts={facts} />
        <p class="quiet">
          Keep this address: nobody can find this page without its number.{' '}
          <a href={`/api/reports/${row.requestId}`}>As JSON</a>
        </p>
        <Back page={page} />
      </>
    ),
  };
}

/** Of the reported message; null for a card. */
function pageOf(id: number | null = null, board: string | null = null) {
  if (id === null) return null;
  return board === null ? `/t/${id}` : foreignPath(board, id);
}

function Back({ page }: { page: string | null }) {
  return (
    <p>
      <a href={page ?? '/'}>
        {page === null ? 'Go to the topics' : 'Back to the message'}
      </a>
    </p>
  );
}
