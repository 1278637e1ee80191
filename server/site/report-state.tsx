import type { ComponentChildren } from 'preact';
import type { ReportStatus } from '../../protocol/moderation.js';
import { publicTime } from '../clock.js';
import type { Context } from '../context.js';
import type { ReportReceipt, reportStatus } from '../moderation/index.js';
import { Facts } from './controls.js';
import type { Page } from './document.js';
import { Time } from './labels.js';

const statePath = (id: string) => `/report/${id}`;

export function receivedHtml(ctx: Context, receipt: ReportReceipt): Page {
  const { request_id: id } = receipt;
  return {
    title: 'Report received',
    now: ctx.clock.now(),
    children: (
      <>
        <h1>Thank you, your report arrived</h1>
        <p class="lead">
          The operators of this board will read it. Keep this address: it says
          what became of your report, to you alone.
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
        <Back message={receipt.message_id} />
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
  if (row.messageId !== null) {
    const href = `/t/${row.messageId}`;
    facts.splice(1, 0, ['About', <a href={href}>message #{row.messageId}</a>]);
  }
  if (decided !== null) {
    const href = `/moderation?message=${decided}`;
    facts.push(['Decision', <a href={href}>what was decided, and why</a>]);
  }
  return {
    title: 'Your report',
    now: ctx.clock.now(),
    children: (
      <>
        <h1>Your report</h1>
        <Facts facts={facts} />
        <p class="quiet">
          Nobody can find this page without its number.{' '}
          <a href={`/api/reports/${row.requestId}`}>As JSON</a>
        </p>
        <Back message={row.messageId ?? undefined} />
      </>
    ),
  };
}

function Back({ message }: { message: number | undefined }) {
  return (
    <p>
      <a href={message === undefined ? '/' : `/t/${message}`}>
        {message === undefined ? 'Go to the topics' : 'Back to the message'}
      </a>
    </p>
  );
}
