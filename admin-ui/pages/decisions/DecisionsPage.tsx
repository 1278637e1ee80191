import {
  MODERATION_ACTIONS,
  MODERATION_REASONS,
} from '../../../protocol/moderation.js';
import { ROOMS } from '../../../protocol/room.js';
import { ask } from '../../api/ask.js';
import { useHints } from '../../live/use-live.js';
import { Choice, Filters, Typed } from '../../parts/Filters.js';
import { NewHint } from '../../parts/NewHint.js';
import { Empty, Page } from '../../parts/Page.js';
import { PagedList, usePages } from '../../parts/PagedList.js';
import {
  oneOf,
  queryOf,
  type Search,
  useAddress,
  wholeNumber,
} from '../../shell/use-address.js';
import { DecisionTable } from './DecisionTable.js';

const DAY_MS = 86_400_000;

/** Start of a UTC day; `text` is a date field's value. */
function dayStart(text: string | undefined): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text ?? '')) return undefined;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return ms >= 0 ? ms : undefined;
}

/** `to` is a day, and counts as a whole. */
function decisionFilters(search: Search) {
  const last = dayStart(search.to);
  return {
    action: oneOf(search.action, MODERATION_ACTIONS),
    reason: oneOf(search.reason, MODERATION_REASONS),
    operator: search.operator?.trim() || undefined,
    room: oneOf(search.room, ROOMS),
    message_id: wholeNumber(search.message_id),
    from: dayStart(search.from),
    to: last === undefined ? undefined : last + DAY_MS,
  };
}

export function DecisionsPage() {
  const filters = decisionFilters(useAddress().search);
  const list = usePages(['decision.list', filters], (before?: number) =>
    ask('decision.list', { ...filters, before, limit: 100 }),
  );
  const hints = useHints(['decision'], list.renew);
  return (
    <Page
      title="Decisions"
      about="To undo one, record another that takes it back."
      actions={['csv', 'json'].map((format) => (
        <a
          key={format}
          href={`/admin/api/do/decisions?${queryOf({ ...filters, format })}`}
          download
        >
          Export {format.toUpperCase()}
        </a>
      ))}
    >
      <Filters>
        <Choice label="Action" name="action" options={MODERATION_ACTIONS} />
        <Choice label="Reason" name="reason" options={MODERATION_REASONS} />
        <Choice label="Room" name="room" options={ROOMS} />
        <Typed label="Operator’s alias" name="operator" />
        <Typed label="Message" name="message_id" />
        <Typed label="From (UTC day)" name="from" type="date" />
        <Typed label="To (UTC day)" name="to" type="date" />
      </Filters>
      <NewHint {...hints} />
      <PagedList
        list={list}
        what="the decisions"
        empty={<Empty title="No decision matches." />}
      >
        {(rows) => <DecisionTable rows={rows} />}
      </PagedList>
    </Page>
  );
}
