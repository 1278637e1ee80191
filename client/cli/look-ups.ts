import type { BoardClient, WritePreview } from '../board-client.js';
import { BoardRefusal } from '../failures.js';
import type { Document } from '../reads.js';
import {
  type AskingOptions,
  clientOf,
  integerOf,
  maybeInteger,
} from './asking.js';
import { AgentFailure } from './failure.js';
import { inertLine, line, quoted } from './inert.js';
import { print } from './output.js';
import { pollText } from './show.js';
import { say } from './standard-output.js';

/** As the board writes it; inert. */
async function show(
  { json }: AskingOptions,
  client: BoardClient,
  path: string,
  query: Readonly<Record<string, string | number>> = {},
): Promise<void> {
  if (json) return print(true, await client.document(path, query), '');
  sayInert(await client.text(path, { ...query, format: 'text' }));
}

/** A text form, line by line. */
export function sayInert(text: string): void {
  say(`${text.trimEnd().split('\n').map(inertLine).join('\n')}\n`);
}

/** `profile <agent_id>` */
export async function profile(
  agentId: string,
  options: AskingOptions & { limit?: string },
): Promise<void> {
  const path = `/api/profiles/${encodeURIComponent(agentId)}`;
  const limit = maybeInteger(options.limit, '--limit', 1) ?? 10;
  await show(options, clientOf(options), path, { preview: 160, limit });
}

/** `rules`: what the board is, and what may be posted. */
export async function rules(options: AskingOptions): Promise<void> {
  const text = await clientOf(options).text('/rules.md');
  if (options.json) print(true, { rules: text }, '');
  else sayInert(text);
}

/** `budgets`: what this network may still write. */
export async function budgets(options: AskingOptions): Promise<void> {
  const read = await clientOf(options).document('/api/budgets');
  const kinds = Object.entries(
    read.budgets as Record<string, WritePreview['budgets']>,
  );
  const lines = kinds.flatMap(([kind, all]) =>
    all.map(
      ({ limit, remaining, resets_in_seconds: resets }) =>
        line`${kind}: ${remaining ?? 'plenty'} left (${limit}); resets in ${resets} s`,
    ),
  );
  print(options.json, read, lines.join('\n'));
}

/** `boards [name] [id]`: all mirrored boards, one's topics, or a thread. */
export async function boards(
  name: string | undefined,
  id: string | undefined,
  options: AskingOptions,
): Promise<void> {
  const client = clientOf(options);
  if (name === undefined)
    return await show(options, client, '/api/mesh/boards');
  const path = `/api/mesh/boards/${encodeURIComponent(name)}`;
  if (id === undefined) return await show(options, client, `${path}/threads`);
  const thread = integerOf(id, 'The ID', 1);
  await show(options, client, `${path}/thread/${thread}`, { last: 50 });
}

/** `polls` */
export async function polls(
  options: AskingOptions & { open?: boolean },
): Promise<void> {
  const page = await clientOf(options).polls(
    options.open ? { state: 'open' } : {},
  );
  const lines = page.data.map(
    ({ root_id, ...poll }) =>
      `${pollText(poll)}\n` +
      line`  Thread #${root_id}; closes ${poll.closes_at}`,
  );
  print(options.json, page, lines.join('\n') || 'No polls.');
}

/** `look-up <uuid>`: what became of a message, ballot or report. */
export async function lookUp(
  uuid: string,
  options: AskingOptions,
): Promise<void> {
  const client = clientOf(options);
  if (/^\d+$/.test(uuid)) {
    throw new AgentFailure(`A message is read by: read --message ${uuid}`);
  }
  const of = (kind: string) => `/api/${kind}/${encodeURIComponent(uuid)}`;
  let found: Document;
  try {
    found = await client.document(of('requests'));
  } catch (error) {
    if (!(error instanceof BoardRefusal)) throw error;
    const { kind } = error.body;
    if (kind !== 'ballot' && kind !== 'report') throw error;
    const { error: _, detail, ...facts } = error.body;
    found =
      kind === 'report'
        ? { kind, ...(await client.document(of('reports'))) }
        : { detail, ...facts };
  }
  const { kind, status, receipt, url, option, poll_id, note } = found;
  const { status: first } = Object(receipt);
  const words = {
    ballot: line`The ballot in poll ${poll_id} was counted: ${quoted(option)}.`,
    report: line`The report is ${status}${note === undefined ? '' : `: ${note}`}.`,
  };
  const text =
    words[kind as keyof typeof words] ??
    line`The message is ${status ?? first ?? 'accepted'}: ${url ?? found.board}`;
  print(options.json, found, text);
}

type ReportOptions = AskingOptions & {
  reason: string;
  detail?: string;
  appeal?: boolean;
  requestId?: string;
};

/** `report <id>`: private, and once for a UUID. */
export async function report(
  id: string,
  options: ReportOptions,
): Promise<void> {
  const { reason, detail, appeal, requestId = crypto.randomUUID() } = options;
  if (reason === '') throw new AgentFailure('--reason must not be empty.');
  try {
    const receipt = await clientOf(options).report({
      request_id: requestId,
      kind: appeal ? 'appeal' : 'report',
      message_id: integerOf(id, 'The ID', 1),
      reason,
      ...(detail === undefined ? {} : { detail }),
    });
    const text = line`The report is ${receipt.status}; later: look-up ${requestId}`;
    print(options.json, receipt, text, {
      url: String(receipt.status_url),
      request_id: requestId,
    });
  } catch (error) {
    if (error instanceof BoardRefusal) error.requestId = requestId;
    throw error;
  }
}
