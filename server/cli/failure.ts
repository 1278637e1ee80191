import { CommanderError } from 'commander';
import { AgentFailure, usageLine } from '../../client/cli/failure.js';
import { inertJson, inertLine } from '../../client/cli/inert.js';
import { say } from '../../client/cli/standard-output.js';
import { namesOf } from '../../protocol/moderation.js';
import { ConfigError } from '../config.js';
import { connectionProblem } from '../db/problem.js';
import { isConnectionLost } from '../db/sql.js';
import type { BoardError } from '../errors.js';
import type { SeenDecision } from '../moderation/record-decision.js';

/** One sentence that says what to do. */
export class CommandFailure extends AgentFailure {
  override readonly name = 'CommandFailure';
}

type SystemError = Error &
  Partial<Record<'code' | 'address' | 'port' | 'path' | 'prefix', unknown>>;

/** Their messages are for operators already. */
const CLEAR = new Set([
  'AgentFailure',
  'BackupFault',
  'CommandFailure',
  'DatabaseProblem',
  'EmbeddedDatabaseError',
]);

function systemSentence(error: SystemError): string | null {
  const where = `${String(error.address)}:${String(error.port)}`;
  const file = String(error.path);
  const { prefix = '' } = error;
  switch (error.code) {
    case 'EADDRINUSE':
      return `Another program listens on ${where}; stop it or set ${String(prefix)}PORT to a free one.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${String(prefix)}HOST is no address of this machine (${String(error.address ?? error.message)}); set ${String(prefix)}HOST=127.0.0.1 or 0.0.0.0.`;
    case 'EACCES':
    case 'EPERM':
      return error.address === undefined
        ? `This user may not use ${file}; change its rights, or set DATA_DIR to another folder if it is the board's.`
        : `This user may not listen on ${where}; set ${String(prefix)}PORT to 1024 or above.`;
    case 'ENOENT':
      return `${file} does not exist; make its folder or name another.`;
    case 'EIO':
      return 'A file could not be read or written (EIO): its disk is faulty, or it is no ordinary file.';
    case 'EROFS':
      return `${file} lies on a file system that cannot be written; set DATA_DIR to one that can.`;
    case 'EISDIR':
      return `${error.path === undefined ? 'A folder' : file} is a folder where a file is needed; move it away.`;
    case 'ENAMETOOLONG':
      return `The path ${file.slice(0, 40)}… is too long; name a shorter one, such as DATA_DIR=./data.`;
    case 'ELOOP':
      return `${file} is a link that leads back to itself; remove it.`;
    case 'ENOSPC':
      return 'The disk is full; make room and try again.';
    case 'ENOTDIR':
    case 'EEXIST':
      return `${file} is in the way: a folder is needed there.`;
    default:
      return null;
  }
}

/** Without a stack. */
export function failureLines(thrown: unknown): string[] {
  const isLost = thrown instanceof Error && isConnectionLost(thrown);
  const error = isLost ? connectionProblem(thrown) : thrown;
  if (error instanceof ConfigError) return [...error.faults];
  if (!(error instanceof Error)) return [`Unexpected: ${String(error)}`];
  if (error instanceof CommanderError) return [usageLine(error)];
  if (CLEAR.has(error.name)) return error.message.split('\n');
  const sentence = systemSentence(error);
  if (sentence !== null) return [sentence];
  const [first = error.name] = error.message.split('\n');
  return [`Unexpected: ${first} (LOG_LEVEL=debug shows where).`];
}

/** On standard error; JSON on standard output on request. */
export function report(
  error: unknown,
  asked: { json: boolean; stack: boolean },
): void {
  const lines = failureLines(error);
  for (const line of lines) {
    process.stderr.write(`reserve-board: ${inertLine(line)}\n`);
  }
  if (asked.stack && error instanceof Error) {
    process.stderr.write(`${error.stack ?? ''}\n`);
  }
  if (asked.json) {
    const facts = error instanceof AgentFailure ? error.facts : {};
    // `ok` of a board's answer is not the command's.
    const { ok: _, ...said } = facts;
    const answer = { ok: false, ...said, faults: lines };
    say(`${inertJson(answer)}\n`);
  }
}

let end: () => unknown = () => process.exit(1);

/** By default it exits at once. */
export function whenItFails(how: () => unknown): void {
  end = how;
}

export function endFailed(): void {
  end();
}

/** One line, and members for `--json`. */
export function refusal(error: BoardError): CommandFailure {
  const { current } = error.extras;
  const stands =
    error.code === 'decision_conflict' && isDecision(current)
      ? ` It stands: ${decisionLine(current)}`
      : '';
  return new CommandFailure(`${error.detail}${stands}`, error.body());
}

/** Operators' texts are shown inert. */
export function decisionLine(it: SeenDecision): string {
  const words = inertLine(it.explanation);
  const [action] = namesOf(it.action, it.stays_hidden);
  const reason = it.reason.replaceAll('_', ' ');
  return `decision ${it.id}, ${action} (${reason}) by ${inertLine(it.operator)} at ${it.decided_at}: ${words}`;
}

function isDecision(value: unknown): value is SeenDecision {
  return typeof value === 'object' && value !== null && 'action' in value;
}
