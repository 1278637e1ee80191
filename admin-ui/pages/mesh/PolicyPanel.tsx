import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useCommand } from '../../api/use-ask.js';
import { Failure } from '../../parts/Failure.js';
import { Section } from '../../parts/Section.js';
import { PolicyDifferences } from './PolicyDifferences.js';
import { usePeerCommand } from './use-peer-command.js';

/** Hands a text to the browser as a file, without any request. */
function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text]));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** Links, trust and limits as a file; an import is shown before it counts. */
export function PolicyPanel() {
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [tried, setTried] = useState<string | null>(null);
  const take = useCommand('peer.policy_export', (policy) =>
    download(
      `peer-policy-${policy.board}.json`,
      `${JSON.stringify(policy, null, 2)}\n`,
    ),
  );
  const put = usePeerCommand('peer.policy_import');
  const send = (apply: boolean) => {
    try {
      const policy: unknown = JSON.parse(text);
      setFault(null);
      put.mutate({ policy, apply }, { onSuccess: () => setTried(text) });
    } catch {
      setFault('This is not JSON.');
    }
  };
  const error = take.error ?? put.error;
  return (
    <Section
      title="Policy"
      actions={
        <Button
          size="xs"
          variant="default"
          loading={take.isPending}
          onClick={() => take.mutate({})}
        >
          Export
        </Button>
      }
    >
      <div className="stack">
        <input
          type="file"
          accept="application/json,.json"
          aria-label="A policy file"
          onChange={({ currentTarget: { files } }) =>
            void files?.[0]?.text().then(setText)
          }
        />
        <Textarea
          label="The policy to import"
          rows={5}
          value={text}
          {...(fault === null ? {} : { error: fault })}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <div className="row">
          <Button
            size="xs"
            variant="default"
            disabled={text.trim() === ''}
            loading={put.isPending}
            onClick={() => send(false)}
          >
            Show what would change
          </Button>
          <Button
            size="xs"
            disabled={tried !== text || put.variables?.apply === true}
            loading={put.isPending}
            onClick={() => send(true)}
          >
            Import
          </Button>
        </div>
        {error === null ? null : <Failure error={error} />}
        {put.data === undefined || tried !== text ? null : (
          <PolicyDifferences
            differences={put.data}
            applied={put.variables?.apply === true}
          />
        )}
      </div>
    </Section>
  );
}
