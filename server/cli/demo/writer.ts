import { createHmac, randomBytes } from 'node:crypto';
import { agentFromSeed } from '../../../client/agent.js';
import { newIdentity } from '../../../client/identity.js';
import { fromBase64, toBase64, utf8 } from '../../../protocol/bytes.js';
import { stepKeyChain } from '../../../protocol/key.js';
import { utcDay } from '../../clock.js';
import { Message } from '../../db/entities/message.js';
import { Poll } from '../../db/entities/poll.js';
import { appendKeyStep, readKeyState } from '../../ledger/key-state.js';
import { OWN_LOG } from '../../ledger/own-log.sql.js';
import { countOnce } from '../../polls/index.js';
import {
  contentIdentity,
  makeDraft,
  type Parent,
  type PreviewRequest,
  previewRequest,
  publishJob,
  signedNote,
  submissionOf,
  unissued,
} from '../../posting/index.js';
import { voterHash } from '../../tickets/index.js';
import { recordVote } from '../../votes/index.js';
import type { LocalContext } from '../with-local-board.js';

type Text = Omit<PreviewRequest, 'request_id' | 'name' | 'agent_id'>;

export type Posted = Parent & { poll: number | null; isNew: boolean };

const NOBODY = Buffer.alloc(32);

/** Without tickets, challenges and limits. Repeated work is found. */
export class DemoWriter {
  private readonly signers = new Map<
    string,
    Promise<Awaited<ReturnType<typeof agentFromSeed>>>
  >();

  constructor(private readonly ctx: LocalContext) {}

  /** @param key unique in the demo */
  async publish(
    key: string,
    by: { name: string; signs: boolean },
    text: Text,
    parent: Parent | null,
  ): Promise<Posted> {
    const { ctx } = this;
    const now = ctx.clock.now();
    const signer = by.signs ? await this.signer(by.name) : null;
    const request: PreviewRequest = previewRequest(ctx.limits).parse({
      ...text,
      ...(parent === null ? {} : { reply_to: parent.id }),
      name: by.name,
      request_id: this.uuid(key),
      ...(signer === null ? {} : { agent_id: signer.id }),
    });
    const it = submissionOf(request, ctx.board.name, ctx.limits);
    const draft = makeDraft({
      it,
      parent,
      salt: randomBytes(16),
      board: ctx.board.name,
      at: now,
    });
    const signature = signer && (await signer.sign(utf8(draft.statement)));
    const note = await signedNote(
      ctx,
      draft,
      signature ? toBase64(signature) : undefined,
      now,
    );
    const contentHash = contentIdentity(ctx.keys.server, it);
    const nobody = { yesterday: NOBODY, today: NOBODY, tomorrow: NOBODY };
    const ticket = unissued(
      { requestId: it.requestId, contentHash, draft },
      { day: utcDay(now), ...nobody },
      now,
    );
    const network = this.network(by.name);
    const job = publishJob(ctx, ticket, { network, counters: null, note });
    const { status, receipt } = await ctx.ledger.append(job.run, job.reads);
    const { id, root_id: rootId } = receipt.message;
    const messageHash = fromBase64(receipt.message_hash, 32);
    if (messageHash === null) throw new Error('a receipt without its hash');
    const poll = receipt.poll?.id ?? null;
    const isNew = status === 201;
    return { id, rootId, room: draft.room, messageHash, poll, isNew };
  }

  async rate(messageId: number, by: string, value: 1 | -1): Promise<void> {
    const { writes, keys, clock, limits } = this.ctx;
    const message = await writes.manager.findOneByOrFail(Message, {
      id: messageId,
    });
    await recordVote(writes, {
      messageId,
      voter: voterHash(keys.voter, message.voteSecret, this.network(by)),
      value,
      at: clock.now(),
      hiddenScore: limits.hidden_score_at_most,
    });
  }

  async vote(pollId: number, by: string, option: number): Promise<void> {
    const { writes, keys, clock } = this.ctx;
    const { secret } = await writes.manager.findOneByOrFail(Poll, {
      id: pollId,
    });
    const now = clock.now();
    const ticket = {
      hash: NOBODY,
      choice: { option, requestId: this.uuid(`ballot ${pollId} ${by}`) },
      voter: voterHash(keys.voter, secret, this.network(by)),
      answerHash: NOBODY,
      issuedAt: now,
      expiresAt: now,
    };
    await countOnce(this.ctx, pollId, ticket, null);
  }

  /** One identity per board, registered on first use. */
  private signer(name: string) {
    const known = this.signers.get(name);
    if (known !== undefined) return known;
    const made = this.register(name);
    this.signers.set(name, made);
    return made;
  }

  private async register(name: string) {
    const { writes, ledger, clock } = this.ctx;
    const current = this.secret(`agent ${name} current`);
    const next = this.secret(`agent ${name} next`);
    const history = await newIdentity(current, next, clock.now());
    const { agentId } = history;
    if ((await readKeyState(writes, OWN_LOG, agentId)) === null) {
      const step = stepKeyChain(null, history.notes[0] ?? '');
      if (!step.ok) throw new Error(`a made identity is ${step.reason}`);
      await ledger.append(async (context) => {
        await appendKeyStep(context, step.value);
        return () => undefined;
      });
    }
    return await agentFromSeed(agentId, current);
  }

  private secret(use: string): Buffer {
    const key = this.ctx.keys.server;
    return createHmac('sha256', key).update(`demo ${use}`).digest();
  }

  private network(name: string): Uint8Array {
    return this.secret(`network ${name}`);
  }

  /** Equal for board and key: nothing is posted twice. */
  private uuid(key: string): string {
    const hex = this.secret(`request ${key}`).toString('hex');
    const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`];
    return [...parts, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
  }
}
