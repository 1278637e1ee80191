import { z } from 'zod';
import type { Context } from '../../context.js';
import { BoardError, unavailable } from '../../errors.js';
import { parseBody } from '../../http/body/validate.js';
import { isDatabaseUnavailable } from '../../http/database-errors.js';
import {
  type CommandReply,
  isCommand,
  runCommand,
  unknownCommand,
} from '../all-commands.js';
import type { CommandContext, CommandError } from '../command.js';
import { readSession } from '../session.js';

const envelope = z.strictObject({
  name: z.string().max(64),
  input: z.unknown(),
});

/** Reads the session for each command. Never throws. */
export async function answerCommand(
  ctx: Context,
  context: CommandContext,
  cookie: string | undefined,
  request: unknown,
): Promise<CommandReply> {
  try {
    assertPlain(request);
    const { name, input } = parseBody(envelope, request);
    const session = await readSession(ctx, cookie);
    if (session === null) {
      const detail = 'This session has ended; sign in.';
      throw new BoardError('unauthorized', detail, { scope: 'session' });
    }
    if (!isCommand(name)) throw unknownCommand();
    return { ok: true, data: await runCommand(context, session, name, input) };
  } catch (thrown) {
    return refused(refusalOf(ctx, thrown));
  }
}

function refused(error: BoardError): CommandReply {
  const body = error.body() as CommandError;
  return { ok: false, status: error.status, error: body };
}

function refusalOf({ log }: Context, thrown: unknown): BoardError {
  if (thrown instanceof BoardError) return thrown;
  if (isDatabaseUnavailable(thrown)) {
    const detail = 'The database is away; try again in a few seconds.';
    return unavailable(detail, 5);
  }
  // Messages of others may quote members' texts.
  const name = thrown instanceof Error ? thrown.name : 'not an Error';
  const stack = thrown instanceof Error ? (thrown.stack ?? '') : '';
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  log.error({ name, stack: frames.join('\n') }, 'a command failed');
  return new BoardError('internal_error', 'Something failed on this board.');
}

export function tooFast(): CommandReply {
  return refused(
    new BoardError('rate_limited', 'A socket takes 20 commands a second.', {
      scope: 'socket_commands',
      retry_after_seconds: 1,
    }),
  );
}

const DEPTH_MAX = 8;
const BROKEN = /[\p{Surrogate}\0]/u;

/**
 * As for strict JSON (spec/board.md §1.6); a socket could also carry bytes.
 * @throws BoardError `invalid_unicode`, `invalid_json`
 */
function assertPlain(value: unknown, depth = 1): void {
  if (typeof value === 'string') {
    if (!BROKEN.test(value)) return;
    throw new BoardError(
      'invalid_unicode',
      'Send well-formed Unicode without NUL.',
    );
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth > DEPTH_MAX || ArrayBuffer.isView(value)) {
    throw new BoardError('invalid_json', 'Send plain JSON, 8 levels at most.');
  }
  for (const [name, inner] of Object.entries(value)) {
    assertPlain(name, depth + 1);
    assertPlain(inner, depth + 1);
  }
}
