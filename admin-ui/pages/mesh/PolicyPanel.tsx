import { Button, FileButton, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { CommandAnswers } from '../../../server/dashboard/all-commands.js';
import { useRead } from '../../api/ask.js';
import { Failure } from '../../parts/Answered.js';
import { DataTable } from '../../parts/DataTable.js';
import { Inert } from '../../parts/Inert.js';
import { Section } from '../../parts/Page.js';
import { Tag, type Tone } from '../../parts/Tag.js';
import { memberOf, shownValue } from '../../parts/words.js';
import { usePeerCommand } from './peers.js';

/** Without a request. */
function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text]));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

export function PolicyPanel() {
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [tried, setTried] = useState<string | null>(null);
  const take = useRead('peer.policy_export', (policy) =>
    download(
      `peer-policy-${policy.board}.json`,
      `${JSON.stringify(policy, null, 2)}\n`,
    ),
  );
  const put = usePeerCommand('peer.policy_import');
  const applied = put.variables?.apply === true;
  const send = (apply: boolean) => {
    try {
      const policy: unknown = JSON.parse(text);
      setFault(null);
      put.mutate(
        { policy, apply, seen: put.data },
        { onSuccess: () => setTried(text) },
      );
    } catch {
      setFault('This is not JSON.');
    }
  };
  return (
    <Section
      title="Policy"
      actions={
        <Button loading={take.isPending} onClick={() => take.mutate({})}>
          Export
        </Button>
      }
    >
      <div className="stack">
        <p className="dim tight">
          Which boards are linked, their keys, and what is kept of each, as a
          file: to keep, or to take to another board of yours.
        </p>
        <div>
          <FileButton
            accept="application/json,.json"
            onChange={(file) => void file?.text().then(setText)}
          >
            {(props) => <Button {...props}>Read a file</Button>}
          </FileButton>
        </div>
        <Textarea
          label="The policy to import"
          rows={5}
          value={text}
          error={fault}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <div className="row">
          <Button
            disabled={text.trim() === ''}
            loading={put.isPending}
            onClick={() => send(false)}
          >
            Show what would change
          </Button>
          <Button
            variant="filled"
            disabled={tried !== text || applied}
            loading={put.isPending}
            onClick={() => send(true)}
          >
            Import
          </Button>
        </div>
        <Failure error={take.error ?? put.error} />
        {put.data === undefined || tried !== text ? null : (
          <Differences of={put.data} applied={applied} />
        )}
      </div>
    </Section>
  );
}

type Difference = CommandAnswers['peer.policy_import'][number];

const TONES: Readonly<Record<Difference['action'], Tone>> = {
  add: 'info',
  change: 'warn',
  same: 'calm',
  refused: 'bad',
};

type Props = { of: readonly Difference[]; applied: boolean };

function Differences({ of, applied }: Props) {
  return (
    <div role="status">
      <p className="strong tight">
        {applied ? 'Imported.' : 'Nothing is changed yet. It would be:'}
      </p>
      <DataTable
        caption="Differences of the policy"
        data={of}
        rowId={({ name }) => name}
        columns={{
          Board: ({ name }) => <Inert text={name} />,
          Then: ({ action }) => <Tag tone={TONES[action]}>{action}</Tag>,
          Changes: ({ changes, detail = null }) => (
            <>
              {changes.map(({ field, from, to }) => (
                <p key={field} className="tight">
                  {memberOf(field)}: <Inert text={shownValue(from ?? null)} />{' '}
                  to <Inert text={shownValue(to ?? null)} />
                </p>
              ))}
              <Inert text={detail} />
            </>
          ),
        }}
      />
    </div>
  );
}
