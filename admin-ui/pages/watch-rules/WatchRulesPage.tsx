import { Button } from '@mantine/core';
import { useState } from 'react';
import type { WatchRuleSeen } from '../../../server/dashboard/commands/watch-rules.js';
import { useMay } from '../../access/use-access.js';
import { ask, useAsk, useCommand } from '../../api/ask.js';
import { reread } from '../../api/query-client.js';
import { Answered, Failure } from '../../parts/Answered.js';
import { DataTable } from '../../parts/DataTable.js';
import { ConfirmButton } from '../../parts/Dialog.js';
import { Inert } from '../../parts/Inert.js';
import { Page, Section } from '../../parts/Page.js';
import { PagedTable, usePages } from '../../parts/PagedList.js';
import { say } from '../../parts/say.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { RULE_WORDS, RuleForm, saidOf } from './RuleForm.js';

type Edited = WatchRuleSeen | 'new' | null;

export function WatchRulesPage() {
  const admin = useMay('admin');
  const rules = useAsk('watch.list', {});
  const [edited, edit] = useState<Edited>(null);
  const [shown, show] = useState<WatchRuleSeen | null>(null);
  const add = (
    <Button
      size="sm"
      variant="filled"
      disabled={edited !== null}
      onClick={() => edit('new')}
    >
      Add a rule
    </Button>
  );
  return (
    <Page
      title="Watch rules"
      about="A matching message is still published; a report is filed for you. Messages of linked boards are not watched."
      actions={admin ? add : null}
    >
      {edited === null ? null : (
        <RuleForm
          key={edited === 'new' ? edited : `${edited.id}.${edited.version}`}
          rule={edited === 'new' ? null : edited}
          close={() => edit(null)}
        />
      )}
      <Section title="Rules">
        <Answered of={rules} what="the rules">
          {({ data }) => (
            <Rules rules={data} edit={admin ? edit : null} show={show} />
          )}
        </Answered>
      </Section>
      {shown === null ? null : <Versions key={shown.id} rule={shown} />}
    </Page>
  );
}

type ListProps = {
  rules: readonly WatchRuleSeen[];
  /** Null: no right to edit. */
  edit: ((rule: WatchRuleSeen) => void) | null;
  show: (rule: WatchRuleSeen) => void;
};

function Rules({ rules, edit, show }: ListProps) {
  const remove = useCommand('watch.remove', () => {
    reread('watch.list');
    say('The rule is removed.');
  });
  return (
    <>
      <DataTable
        caption="List of rules"
        none="There is no rule yet."
        data={rules}
        rowId={({ id }) => id}
        columns={{
          Name: ({ name, paused }) => (
            <>
              <Inert text={name} /> {paused ? <Tag>Paused</Tag> : null}
            </>
          ),
          Matches: ({ rule }) => (
            <>
              {RULE_WORDS[rule.kind]}: <Inert text={saidOf(rule)} />
            </>
          ),
          Changed: (it) => (
            <>
              <Time at={it.changed_at} /> by <Inert text={it.changed_by} />,
              version {it.version}
            </>
          ),
          '–': (it) => (
            <span className="row">
              <Button size="compact-xs" onClick={() => show(it)}>
                Versions
              </Button>
              {edit === null ? null : (
                <>
                  <Button size="compact-xs" onClick={() => edit(it)}>
                    Change
                  </Button>
                  <ConfirmButton
                    label="Remove"
                    ariaLabel="Remove the rule"
                    act={() => remove.mutate({ id: it.id, seen: it.version })}
                  >
                    It files no more reports. Its versions and the reports that
                    it filed stay.
                  </ConfirmButton>
                </>
              )}
            </span>
          ),
        }}
      />
      <Failure error={remove.error} />
    </>
  );
}

function Versions({ rule: { id, name } }: { rule: WatchRuleSeen }) {
  const list = usePages(['watch.versions', { id }], (before?: number) =>
    ask('watch.versions', { id, before }),
  );
  return (
    <Section
      title={
        <>
          Versions of <Inert text={name} />
        </>
      }
    >
      <PagedTable
        list={list}
        what="the versions"
        empty={null}
        caption="List of versions"
        rowId={({ version }) => String(version)}
        columns={{
          Version: ({ version }) => version,
          Matches: ({ rule }) => (
            <>
              {RULE_WORDS[rule.kind]}: <Inert text={saidOf(rule)} />
            </>
          ),
          State: ({ paused, removed }) =>
            removed ? 'Removed' : paused ? 'Paused' : 'Active',
          Changed: (it) => (
            <>
              <Time at={it.changed_at} /> by <Inert text={it.changed_by} />
            </>
          ),
        }}
      />
    </Section>
  );
}
