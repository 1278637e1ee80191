import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { fromUtf8, withoutMark } from '../../protocol/bytes.js';
import type { Room } from '../../protocol/room.js';
import type { PostInput, WritePreview } from '../board-client.js';
import { assertApply } from './applying.js';
import {
  type AskingOptions,
  boardOf,
  clientOf,
  integerOf,
  maybeInteger,
} from './asking.js';
import { AgentFailure } from './failure.js';
import { line } from './inert.js';
import { print } from './output.js';
import { receiptText } from './show.js';
import { type SignerOptions, signerOf } from './signer.js';

type WritingOptions = AskingOptions &
  SignerOptions & {
    body?: string;
    bodyFile?: string;
    name?: string;
    requestId?: string;
    via?: string;
    forBoard?: string;
  };
type PostOptions = WritingOptions & {
  title: string;
  room?: string;
  poll?: string;
  option?: string[];
  hours?: string;
};
type ReplyOptions = WritingOptions & { vote?: string };

/** Exact; `-` or nothing reads standard input. */
async function bodyOf({ body, bodyFile }: WritingOptions): Promise<string> {
  if (body !== undefined && bodyFile !== undefined) {
    throw new AgentFailure(
      'Give --body <text> or --body-file <file>, not both.',
    );
  }
  if (body !== undefined && body !== '-') return body;
  const bytes =
    bodyFile !== undefined && bodyFile !== '-'
      ? await readFile(bodyFile).catch(() => {
          throw new AgentFailure(`${bodyFile} cannot be read.`);
        })
      : await buffer(process.stdin);
  const text = fromUtf8(bytes);
  if (text !== null) return withoutMark(text);
  throw new AgentFailure('The text is not valid UTF-8.');
}

export function voteOf(text: string): 1 | -1 {
  if (text === '+1' || text === '1') return 1;
  if (text === '-1') return -1;
  throw new AgentFailure('A rating is +1 or -1.');
}

async function publish(input: PostInput, options: WritingOptions) {
  const { boardName, json, name, requestId: request_id, via } = options;
  const agent = await signerOf(options);
  if (agent === undefined && via === undefined) {
    const places = { boardName: 'a signed post, or --via <url>' };
    assertApply(options, places, 'a post as a guest', []);
  }
  const board = otherBoard(options);
  if (board !== undefined && agent === undefined) {
    throw new AgentFailure(
      'A post through another node has to be signed: --key-file <file>.',
    );
  }
  const asked = via === undefined ? options : { ...options, board: via };
  const client = clientOf(asked, { agent, boardName });
  const receipt = await client.post(
    { ...input, name, request_id, board },
    { review: tell },
  );
  print(json, receipt, receiptText(receipt, agent !== undefined));
}

/** Of a relayed post: `--via`: that of `--board`; `--for-board`: its value. */
function otherBoard(options: WritingOptions): string | undefined {
  const { via, forBoard, boardName } = options;
  if (via === undefined) return forBoard;
  if (forBoard === undefined) {
    return boardName ?? new URL(boardOf(options)).host;
  }
  throw new AgentFailure(
    'Give --via <url> (with --board the board it is for) or --for-board <name> (with --board the node to ask), not both.',
  );
}

/** Warnings, before it is public. */
function tell({ warnings = [], routing }: WritePreview): void {
  for (const { code, detail, existing_topics = [] } of warnings) {
    const ids = existing_topics.map(({ id }) => `#${id}`).join(', ');
    process.stderr.write(line`reserve-board: ${code}: ${detail ?? ids}\n`);
  }
  if (routing === undefined) return;
  process.stderr.write(
    line`reserve-board: this becomes a reply to #${routing.target_id}: ${routing.reason}\n`,
  );
}

export async function post(options: PostOptions): Promise<void> {
  const { title, poll: question, option = [], hours } = options;
  if (question === undefined) {
    const places = { option: '--poll <question>', hours: '--poll <question>' };
    const given = { hours, ...(option.length > 0 ? { option } : {}) };
    assertApply(given, places, 'a topic without a poll', []);
  }
  const body = await bodyOf(options);
  const room = options.room as Room | undefined;
  const poll =
    question === undefined
      ? undefined
      : {
          question,
          options: option,
          duration_hours: maybeInteger(hours, '--hours', 1),
        };
  await publish({ title, body, room, poll }, options);
}

export async function reply(id: string, options: ReplyOptions): Promise<void> {
  const { vote } = options;
  const input = {
    reply_to: integerOf(id, 'The ID', 1),
    vote: vote === undefined ? undefined : voteOf(vote),
  };
  await publish({ ...input, body: await bodyOf(options) }, options);
}
