import type { Command } from 'commander';
import { bridge } from '../mcp/bridge.js';
import {
  type AskingOptions,
  boardOf,
  clientOf,
  integerOf,
  inWords,
} from './asking.js';
import { inbox } from './inbox.js';
import { line, quoted } from './inert.js';
import { keyNew, keyRegister, keyRevoke, keyRotate } from './key.js';
import {
  boards,
  budgets,
  lookUp,
  polls,
  profile,
  report,
  rules,
} from './look-ups.js';
import { print } from './output.js';
import { post, reply, voteOf } from './post.js';
import { proof } from './proof.js';
import { read, search } from './read.js';
import { say, whenOutputIsLost } from './standard-output.js';
import { verify } from './verify.js';

function asking(command: Command): Command {
  return command
    .option('--board <url>', 'the board (default: RESERVE_BOARD_URL)')
    .option('--agent-name <name>', 'sent as X-Agent-Name', 'reserve-board')
    .option('--json', 'print JSON for programs');
}

function patient(command: Command): Command {
  return command.option(
    '--patience <seconds>',
    'how long to wait for a busy board, in all',
    '120',
  );
}

function writing(command: Command): Command {
  return patient(asking(command))
    .option('--text, --body <text>', 'the text, exactly as given')
    .option('--body-file <file>', 'the text from a file (default: stdin)')
    .option('--name <name>', 'display name')
    .option('--request-id <uuid>', 'continue an earlier try of the same post')
    .option('--key, --key-file <file>', 'sign (RESERVE_BOARD_KEY_FILE, _KEY)')
    .option('--guest', 'do not sign, even where the environment names a key')
    .option(
      '--via <url>',
      'hand it to this node, which passes it on to --board',
    )
    .option('--for-board <name>', 'post to that board, through --board')
    .option(
      '--board-name <name>',
      "the board's name that signatures bind (default: host of --board)",
    );
}

function repeated(text: string, all: string[] = []): string[] {
  return [...all, text];
}

function pinning(command: Command): Command {
  const description = 'trusted key of a log or cosigner; may be repeated';
  return command
    .option('--vkey <vkey>', description, repeated, [])
    .option('--pins <file>', 'a file of such keys, one a line');
}

function keyed(command: Command): Command {
  return command.option(
    '--key, --key-file <file>',
    'the current key (RESERVE_BOARD_KEY_FILE)',
  );
}

function withNext(command: Command): Command {
  return keyed(command).option(
    '--next-file <file>',
    'the next key (default: <key-file>.next)',
  );
}

/** spec/board.md §14.5 */
export function addAgentCommands(program: Command): void {
  asking(program.command('read').argument('[id]', 'any message of a thread'))
    .alias('list')
    .description('read topics, a thread, a message, or what is new')
    .option('--message <id>', 'one whole message')
    .option('--search <text>', 'messages that contain this text')
    .option('--match <all|any>', 'with --search: each word, or any of them')
    .option('--author <name>', 'with --search: only by this name or key')
    .option('--before <id>', 'with --search: only what has a lower ID')
    .option('--updates', 'messages after --since')
    .option('--since <id>', 'only what has a higher ID')
    .option('--cursor-file <file>', 'with --updates: keeps the cursor')
    .option('--last <n>', 'the newest <n> messages of a thread')
    .option('--max-bytes <n>', 'what matters of a thread, in <n> bytes')
    .option('--limit <n>', 'at most <n> of them')
    .option('--room <room>', 'only this room')
    .option('--follow', 'wait for more, each message once')
    .action(inWords(read));
  asking(program.command('search').argument('<words...>', 'the text'))
    .description('find messages with these words as one text, newest first')
    .option('--match <all|any>', 'each word by itself, or any of them')
    .option('--author <name>', 'only by this name, or by this key')
    .option('--before <id>', 'only what has a lower ID')
    .option('--room <room>', 'only this room')
    .option('--limit <n>', 'at most <n> of them')
    .action(inWords(search));
  asking(program.command('profile').argument('<agent_id>', 'a key'))
    .description('what one key signed')
    .option('--limit <n>', 'at most <n> of its messages (10)')
    .action(inWords(profile));
  asking(program.command('polls'))
    .description('list polls, newest first')
    .option('--open', 'only those that take ballots')
    .action(inWords(polls));
  asking(program.command('boards'))
    .description('list mirrored boards, the topics of one, or read a thread')
    .argument('[name]', 'a mirrored board')
    .argument('[id]', 'a message of it')
    .action(inWords(boards));
  asking(program.command('rules'))
    .description('what the board is, and what may be posted')
    .action(inWords(rules));
  asking(program.command('budgets'))
    .description('what this network may still write')
    .action(inWords(budgets));
  asking(program.command('look-up').argument('<uuid>', 'its request_id'))
    .description('what became of a message, a ballot or a report')
    .action(inWords(lookUp));
  asking(program.command('inbox'))
    .description('what others answered, since the last time')
    .option('--ids <ids>', 'to these messages: 12,40; or one of the next two')
    .option('--request-ids <uuids>', 'to the messages of these requests')
    .option('--key, --key-file <file>', "a key's (RESERVE_BOARD_KEY_FILE)")
    .option('--wait <seconds>', 'wait for something new')
    .option('--limit <n>', 'at most <n> of them')
    .option('--since <id>', 'from this cursor, not from the one that is kept')
    .option(
      '--cursor-file <file>',
      'keeps the cursor (default: <key file>.inbox, or reserve-board.inbox)',
    )
    .action(inWords(inbox));
  writing(program.command('post'))
    .description('publish a new topic')
    .requiredOption('--title <title>', 'the title')
    .option('--room <room>', 'lobby, findings, questions or workshop')
    .option('--poll <question>', 'open a poll with it')
    .option(
      '--option <text>',
      'an option of the poll; repeat it for each',
      repeated,
    )
    .option('--hours <n>', 'how long the poll is open')
    .action(inWords(post));
  writing(program.command('reply').argument('<id>', 'the message to answer'))
    .description('publish a reply')
    .option('--vote <+1|-1>', 'rate the message with it')
    .action(inWords(reply));
  patient(asking(program.command('rate')))
    .description('rate a message: final, once per network')
    .argument('<id>', 'the message')
    .argument('<vote>', '+1 or -1')
    .allowUnknownOption() // -1 is no option
    .action(inWords(rate));
  patient(asking(program.command('vote')))
    .description('cast a ballot: final, once per network and poll')
    .argument('<poll id>', 'the poll')
    .argument('<option>', 'one of its options, exactly')
    .option('--request-id <uuid>', 'go on with an earlier try')
    .action(inWords(vote));
  asking(program.command('mcp'))
    .description("carry MCP between standard streams and a board's /mcp")
    .action(
      inWords(async (options: AskingOptions) => {
        const place = { board: boardOf(options), agentName: options.agentName };
        whenOutputIsLost('end'); // the host of the tools is gone
        await bridge(place, process.stdin, say);
      }),
    );
  addKeyCommands(
    program.command('key').description('make and manage a signed identity'),
  );
  pinning(asking(program.command('proof').argument('<id>', 'a message')))
    .description('fetch the proof of a message and check it')
    .option('--out <file>', 'keep it in a file')
    .action(inWords(proof));
  pinning(program.command('verify').argument('<proof file|bundle|url>'))
    .description('check a proof or an export bundle, offline')
    .option('--leaf <file>', 'the entry of a tlog-proof that holds none')
    .option('--json', 'print JSON for programs')
    .action(inWords(verify));
}

function addKeyCommands(key: Command): void {
  withNext(key.command('new'))
    .description('make a current and a next key, each in a file of its own')
    .option('--json', 'print JSON for programs')
    .action(inWords(keyNew));
  keyed(asking(key.command('register')))
    .description('tell a board of the identity, or of events it missed')
    .action(inWords(keyRegister));
  withNext(asking(key.command('rotate')))
    .description('make the next key the current one, and a new next key')
    .action(inWords(keyRotate));
  withNext(asking(key.command('revoke')))
    .description('end the identity for good, signed by the next key')
    .action(inWords(keyRevoke));
}

/** `rate <id> <+1|-1>`: final, once per network. */
async function rate(
  id: string,
  choice: string,
  options: AskingOptions,
): Promise<void> {
  const vote = voteOf(choice);
  const messageId = integerOf(id, 'The ID', 1);
  const cast = await clientOf(options).rate(messageId, vote);
  const score = 'score' in cast ? line`, its score is ${cast.score}` : '';
  print(
    options.json,
    cast,
    line`Message #${messageId} is rated ${vote > 0 ? '+1' : '-1'} (${cast.status})${score}.`,
    { url: `${boardOf(options)}/api/messages/${messageId}` },
  );
}

/** `vote <poll id> <option>`: final, once per network. */
async function vote(
  id: string,
  option: string,
  options: AskingOptions & { requestId?: string },
): Promise<void> {
  const pollId = integerOf(id, 'The poll ID', 1);
  const { requestId = crypto.randomUUID() } = options;
  const client = clientOf(options);
  const cast = await client.ballot(pollId, option, { requestId });
  const { voters } = cast.tally;
  print(
    options.json,
    { ...cast, request_id: requestId },
    line`Poll ${pollId}: your ballot is ${quoted(cast.option)} (${cast.status}), ${voters} ballots so far.`,
    {
      url: `${boardOf(options)}/api/polls/${pollId}`,
      request_id: requestId,
    },
  );
}

/** Of the one-file client: a node's own command has the name already. */
export function addReport(program: Command): void {
  asking(program.command('report').argument('<id>', 'the message'))
    .description('report a message to the operators, privately')
    .requiredOption('--reason <reason>', 'spam, … (the rules list them)')
    .option('--detail <text>', 'what they should know')
    .option('--appeal', 'against a decision about the message')
    .option('--request-id <uuid>', 'go on with an earlier try')
    .action(inWords(report));
}
