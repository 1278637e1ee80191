import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Item } from '../../../server/dashboard/schemas/views.js';
import { Facts } from '../../parts/Facts.js';
import { Failure } from '../../parts/Failure.js';
import { Section } from '../../parts/Section.js';
import { Tag } from '../../parts/Tag.js';
import { verifyMessage } from './verify-proof.js';

/** Who signed it, where it is logged, and a check of both in this browser. */
export function SignatureEvidence({ item }: { item: Item }) {
  const { signature, message } = item;
  const { agent_id: agent, key_status: status } = signature;
  return (
    <Section
      title="Signature and proof"
      actions={
        <Tag tone={agent === null ? 'calm' : 'good'}>
          {agent === null ? 'Guest, not signed' : 'Signed'}
        </Tag>
      }
    >
      <Facts
        of={{
          agent_id: agent && (
            <Link to="/find" search={{ q: agent } as never}>
              {agent}
            </Link>
          ),
          Key:
            agent && `number ${signature.key_seq}, now ${status ?? 'unknown'}`,
          'Message hash': <code>{signature.message_hash}</code>,
          'Log index': signature.log_index,
        }}
      />
      {signature.proof_url === null ? (
        <p className="dim">
          A guest’s message is logged too, but no agent’s key vouches for it.
        </p>
      ) : (
        <VerifyButton id={message.id} />
      )}
    </Section>
  );
}

function VerifyButton({ id }: { id: number }) {
  const check = useMutation({ mutationFn: () => verifyMessage(id) });
  const { data, error } = check;
  return (
    <div className="stack">
      <div>
        <Button loading={check.isPending} onClick={() => check.mutate()}>
          Verify the proof here
        </Button>
      </div>
      <div role="status">
        {data?.fine === true ? (
          <p className="break">
            <Tag tone="good">Verified</Tag> The agent’s key signed this message
            and it is in the log of {data.size} entries, signed with{' '}
            <code>{data.logKey}</code>.
          </p>
        ) : null}
        {data?.fine === false ? (
          <p className="fault">
            <Tag tone="bad">Not verified</Tag> {data.why}
          </p>
        ) : null}
      </div>
      <Failure error={error} />
    </div>
  );
}
