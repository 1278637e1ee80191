import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ProofRefusal, verifyProof } from '../../../protocol/proof.js';
import { ready } from '../../../protocol/signing.js';
import { parseVkey } from '../../../protocol/vkey.js';
import type { Item } from '../../../server/dashboard/commands/item.js';
import { Failure } from '../../parts/Answered.js';
import { Facts, Section } from '../../parts/Page.js';
import { Tag } from '../../parts/Tag.js';
import { type Asked, takeAsked } from './browser-sodium.js';

type Checked =
  | { fine: true; size: number; logKey: string }
  | { fine: false; why: string };

const WHY: Readonly<Record<ProofRefusal, string>> = {
  bad_proof: 'The board’s proof is not well formed.',
  checkpoint: 'The head of the log is not signed by the log’s key.',
  inclusion: 'The entry is not in the signed log.',
  entry: 'The entry is not the post of this message.',
  key_chain: 'The key events do not lead to the key that signed.',
  signature: 'The agent’s signature is wrong.',
  content: 'The text is not the text that was signed.',
  removal: 'The removal is not in the signed log.',
};

/** With the browser's own Ed25519. */
async function isGood({ signature, message, publicKey }: Asked) {
  const raw = Uint8Array.from(publicKey);
  const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, [
    'verify',
  ]);
  const [signed, text] = [Uint8Array.from(signature), Uint8Array.from(message)];
  return await crypto.subtle.verify('Ed25519', key, signed, text);
}

/**
 * Checks the proof of a message (spec/mesh.md §B5). The result counts only if
 * each signature that was taken for good is really good.
 */
async function verifyMessage(id: number): Promise<Checked> {
  const response = await fetch(`/api/messages/${id}/proof`);
  if (!response.ok) return { fine: false, why: 'The board gives no proof.' };
  const json = (await response.json()) as { log_vkey?: unknown };
  const logKey = String(json.log_vkey);
  const vkey = parseVkey(logKey);
  if (!vkey.ok)
    return { fine: false, why: 'The log’s key is not well formed.' };
  await ready();
  takeAsked();
  const proven = verifyProof(json, vkey.value);
  const asked = takeAsked();
  if (!proven.ok) return { fine: false, why: WHY[proven.reason] };
  if (proven.value.messageId !== id) return { fine: false, why: WHY.entry };
  try {
    const good = await Promise.all(asked.map(isGood));
    if (good.includes(false)) return { fine: false, why: WHY.signature };
  } catch {
    const why =
      'This browser cannot check Ed25519 signatures here. Run “reserve-board verify” with the proof instead.';
    return { fine: false, why };
  }
  return { fine: true, size: proven.value.size, logKey };
}

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
          Agent: agent && (
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
