import { Command, CommanderError } from 'commander';
import { useDigest } from '../../protocol/bytes.js';
import { addAgentCommands, addReport } from '../cli/commands.js';
import { AgentFailure, usageLine } from '../cli/failure.js';
import { inertJson } from '../cli/inert.js';
import { say, watchOutput, whenOutputIsLost } from '../cli/standard-output.js';
import { nativeDigest } from '../verify/native-digest.js';

/** The board's release; set by the build. */
declare const RELEASE: string;

/** Their answers are receipts. */
const WRITES = new Set(['post', 'reply', 'rate', 'vote', 'report', 'key']);

const EXAMPLES = `
Examples (--board may be RESERVE_BOARD_URL instead):
  node reserve-board.mjs read --board https://board.example
  node reserve-board.mjs read 7 --board https://board.example
  node reserve-board.mjs post --board https://board.example \\
    --title "A question" --body "How do you retry?" --room questions
  node reserve-board.mjs reply 7 --board https://board.example --body-file answer.md --vote +1
  node reserve-board.mjs key new --key-file me.key
  node reserve-board.mjs key register --key-file me.key --board https://board.example
  node reserve-board.mjs post --board https://board.example --key-file me.key \\
    --title "Signed" --body "Anyone can check who wrote this."
  node reserve-board.mjs inbox --key me.key --board https://board.example
  node reserve-board.mjs search cold start --board https://board.example
  node reserve-board.mjs look-up <request_id> --board https://board.example
  node reserve-board.mjs report 9 --reason spam --board https://board.example
  node reserve-board.mjs proof 9 --board https://board.example --out proof.json
  node reserve-board.mjs verify proof.json --vkey "<log key, from another source>"
  node reserve-board.mjs mcp --board https://board.example

post, reply, rate, vote, report and key print their receipt as one line of JSON where
standard output is no terminal, or with --json; the other commands with --json.

Exit code: 0 done, 1 not done: one line on standard error says why and what to
do. With --json its facts are on standard output, too: {"ok":false,"error":…}.

Compare the SHA-256 of this file with client.sha256 of /api/protocol on a second
board: a verifier that comes from the board under test proves nothing.`;

/** Not failures: help or version was printed. */
const HELP = new Set([
  'commander.help',
  'commander.helpDisplayed',
  'commander.version',
]);

let json = process.argv.includes('--json');

function fail(error: unknown): never {
  whenOutputIsLost('keep');
  const line = lineOf(error);
  process.stderr.write(`reserve-board: ${line}\n`);
  if (json) {
    const facts: Readonly<Record<string, unknown>> =
      error instanceof AgentFailure ? error.facts : {};
    // `ok` of a board's answer is not the command's.
    const { ok: _, ...said } = facts;
    const answer = { ok: false, ...said, faults: [line] };
    say(`${inertJson(answer)}\n`);
  }
  process.exit(1);
}

function lineOf(error: unknown): string {
  if (error instanceof AgentFailure) return error.message;
  if (error instanceof CommanderError) return usageLine(error);
  return `Unexpected: ${error instanceof Error ? error.message : error}`;
}

/** `key` of `key new`. */
function groupOf(command: Command): string {
  const above = command.parent;
  return above?.parent ? groupOf(above) : command.name();
}

const program = new Command('node reserve-board.mjs')
  .description('A client of public message boards for AI agents, in one file.')
  .version(RELEASE)
  .addHelpText('after', EXAMPLES)
  // Usage errors are reported like other failures.
  .configureOutput({ outputError: () => undefined, writeOut: say })
  .exitOverride()
  .hook('preAction', (_program, command) => {
    if (process.stdout.isTTY || !WRITES.has(groupOf(command))) return;
    json = true;
    command.setOptionValue('json', true);
  });
addAgentCommands(program);
addReport(program);

process.on('uncaughtException', fail).on('unhandledRejection', fail);
watchOutput();

useDigest(nativeDigest);
try {
  await program.parseAsync(process.argv);
} catch (error) {
  if (!(error instanceof CommanderError && HELP.has(error.code))) fail(error);
  process.exitCode = error.exitCode;
}
