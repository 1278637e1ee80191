import { Button, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import {
  type ModerationReason,
  REVERSE,
  reasonsOf,
} from '../../../protocol/moderation.js';
import type {
  BulkItemSeen,
  BulkSeen,
} from '../../../server/dashboard/commands/bulk.js';
import type { SeenDecision } from '../../../server/moderation/index.js';
import { useMay } from '../../access/use-access.js';
import { ask, useAsk, useCommand } from '../../api/ask.js';
import { reread } from '../../api/query-client.js';
import { Answered, Failure } from '../../parts/Answered.js';
import { Form } from '../../parts/Form.js';
import { count, counted } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { Facts, Section } from '../../parts/Page.js';
import { PagedTable, usePages } from '../../parts/PagedList.js';
import { Select } from '../../parts/Select.js';
import { say } from '../../parts/say.js';
import { named, past, plain, todo } from '../../parts/words.js';
import { faultOf } from '../item/PlaceholderFields.js';
import { type Chosen, select } from '../queue/use-selection.js';
import { runBulk } from './run-bulk.js';

export function BulkWork({ bulk }: { bulk: string }) {
  const read = useAsk('bulk.read', { bulk });
  return (
    <Answered of={read} what="the bulk">
      {(it) => <Known bulk={it} />}
    </Answered>
  );
}

function wordsOf({ action, total, undoes, stays_hidden }: BulkSeen): string {
  const many = counted(total, 'item');
  return `${todo(action, stays_hidden)}: ${many}${undoes === null ? '' : ' (undo)'}`;
}

function Known({ bulk: it }: { bulk: BulkSeen }) {
  const { bulk, state, mine, total, waiting, done, refused } = it;
  const client = useQueryClient();
  const go = useNavigate();
  const stop = useRef<AbortController>(null);
  const run = useMutation({
    mutationFn: async () => {
      const controller = new AbortController();
      stop.current = controller;
      await runBulk(bulk, controller.signal, (now) =>
        client.setQueryData(['bulk.read', { bulk }], now),
      );
    },
    onSettled: () => {
      reread('bulk.read');
      reread('queue.list');
      reread('bulk.list');
      reread('overview.read');
    },
  });
  const cancel = useCommand('bulk.cancel', () => reread('bulk.read'));
  const runs = state === 'open' && mine;
  const { mutate } = run;
  // Continues after a reload: what was recorded stays.
  useEffect(() => {
    if (runs) mutate();
    return () => stop.current?.abort();
  }, [runs, mutate]);
  useEffect(() => {
    if (state !== 'done' || !mine) return;
    const open = () => void go({ to: '/bulk/$bulk', params: { bulk } });
    say(`${counted(done, 'item')} ${past(it.action)}.`, {
      ...(it.can_undo ? { Undo: open } : {}),
      View: open,
    });
  }, [state, mine, done, bulk, go, it.action, it.can_undo]);
  return (
    <>
      <Section title={wordsOf(it)} className="stack">
        <progress
          max={Math.max(1, total)}
          value={done + refused}
          aria-label="Decided so far"
        />
        <p className="tight" role="status">
          <strong>
            {count(done)} of {count(total)} decided
          </strong>
          , {count(refused)} refused
          {waiting === 0 ? '' : `, ${count(waiting)} waiting`}
          {state === 'cancelled' ? '. Cancelled: the rest stays as it was' : ''}
          {state === 'done' ? '. Done' : ''}.
        </p>
        <div className="row">
          {state === 'open' ? (
            <Button
              loading={cancel.isPending}
              onClick={() => cancel.mutate({ bulk })}
            >
              Stop the rest
            </Button>
          ) : null}
          {runs && run.isError ? (
            <Button variant="filled" onClick={() => mutate()}>
              Continue
            </Button>
          ) : null}
          <Link to="/queue">Back to the queue</Link>
        </div>
        <Failure error={run.error ?? cancel.error} />
        <Facts
          of={{
            Reason: it.reason === null ? null : plain(it.reason),
            Explanation: <Inert text={it.explanation} />,
            Operator: <Inert text={it.operator} />,
            Undoes:
              it.undoes === null ? null : (
                <Link to="/bulk/$bulk" params={{ bulk: it.undoes }}>
                  an earlier bulk
                </Link>
              ),
            Undone:
              it.undone_by === null ? null : (
                <Link to="/bulk/$bulk" params={{ bulk: it.undone_by }}>
                  by a later bulk
                </Link>
              ),
          }}
        />
      </Section>
      {state === 'open' ? null : <Refused bulk={it} />}
      {it.can_undo && state !== 'open' ? <UndoBulk bulk={it} /> : null}
    </>
  );
}

/** Each decision is reversed by a new one. */
function UndoBulk({ bulk: it }: { bulk: BulkSeen }) {
  const may = useMay('moderator');
  const go = useNavigate();
  const [bulk] = useState(() => crypto.randomUUID());
  const [explanation, setExplanation] = useState('');
  const action = REVERSE[it.action] ?? 'keep';
  const reasons = reasonsOf(action);
  const [reason, setReason] = useState<ModerationReason>(reasons[0] ?? 'other');
  const undo = useCommand(
    'bulk.undo',
    () => void go({ to: '/bulk/$bulk', params: { bulk } }),
  );
  if (!may) return null;
  return (
    <Section title="Undo" className="narrow">
      <Form
        label={`${todo(action)} ${counted(it.done, 'item')}`}
        send={() => undo.mutate({ bulk, undoes: it.bulk, reason, explanation })}
        work={undo}
        disabled={faultOf(explanation) !== null}
        w="fit-content"
      >
        <p className="tight">
          Each decision is reversed by a new one. Both remain public.
        </p>
        <Select
          label="Reason"
          options={reasons}
          value={reason}
          choose={setReason}
        />
        <Textarea
          label="Public explanation"
          rows={3}
          required
          value={explanation}
          onChange={({ currentTarget }) => setExplanation(currentTarget.value)}
        />
      </Form>
    </Section>
  );
}

const PAGE = 1000;

/** The decision that another operator made meanwhile. */
function currentOf({ error }: BulkItemSeen): SeenDecision | null {
  return (error?.current ?? null) as SeenDecision | null;
}

/** Counts the decision that came in between as seen. */
function chosenOf(item: BulkItemSeen): Chosen {
  const { subject, seen } = item;
  return { subject, seen: currentOf(item)?.id ?? seen };
}

function Refused({ bulk: { bulk, mine, state } }: { bulk: BulkSeen }) {
  const list = usePages(['bulk.read', bulk, 'left'], (after?: number) =>
    ask('bulk.read', {
      bulk,
      limit: PAGE,
      after,
      state: state === 'cancelled' ? ('waiting' as const) : 'refused',
    }),
  );
  const { rows, query } = list;
  useEffect(() => {
    if (mine && query.isSuccess) select(rows.map(chosenOf));
  }, [mine, query.isSuccess, rows]);
  if (query.isSuccess && rows.length === 0) return null;
  return (
    <Section title={state === 'cancelled' ? 'Not decided' : 'Refused'}>
      <p className="tight">
        These stay selected. <Link to="/bulk">Decide for them again</Link>.
      </p>
      <PagedTable
        list={list}
        what="what was refused"
        empty={null}
        caption="What was not decided"
        rowId={({ n }) => String(n)}
        columns={{
          Item: ({ subject }) => (
            <Link to="/item/$subject" params={{ subject }}>
              {named(subject)}
            </Link>
          ),
          Why: ({ error }) =>
            error === null ? 'Cancelled before its turn.' : error.detail,
          'Decided by another': (item) => <Theirs of={currentOf(item)} />,
        }}
      />
    </Section>
  );
}

function Theirs({ of: it }: { of: SeenDecision | null }) {
  if (it === null) return '–';
  return (
    <>
      {todo(it.action, it.stays_hidden)}, <Inert text={it.operator} />:{' '}
      <Inert text={it.explanation} />
    </>
  );
}
