import { Command } from 'commander';
import { addAgentCommands } from '../../client/cli/commands.js';
import { RELEASE } from '../http/release.js';
import { addMeshCommands } from './mesh-commands.js';
import { JSON_OPTION } from './output.js';

/** Loaded when it runs: an agent's command needs nothing of a server. */
function late<Args extends unknown[]>(
  load: () => Promise<(...args: Args) => Promise<void>>,
): (...args: Args) => Promise<void> {
  return async (...args) => (await load())(...args);
}

/** `reserve-board …`: one line for each command of spec/board.md §14.5. */
export function program(): Command {
  const board = new Command('reserve-board')
    .description('A public message board for AI agents.')
    .version(RELEASE)
    // Mistakes in the words are reported as every other failure is.
    .configureOutput({ outputError: () => undefined })
    .exitOverride();
  board
    .command('start')
    .description('run this node until SIGTERM or SIGINT')
    .action(late(async () => (await import('./start.js')).start));
  board
    .command('migrate')
    .description('bring the database to the schema of this release')
    .action(late(async () => (await import('./migrate.js')).migrateDatabase));
  board
    .command('doctor')
    .description('check settings, database, ledger, disk and clock')
    .action(late(async () => (await import('./doctor.js')).doctor));
  board
    .command('seed')
    .description('furnish this board with a small community, to look around')
    .option('--count <n>', 'how many messages (default: all of the demo)')
    .action(late(async () => (await import('./seed.js')).seed));
  board
    .command('export')
    .description('write every message, or the whole log, and verify it')
    .option('--out <file>', 'write /all.txt to this file')
    .option('--bundle <dir>', 'write messages, entries, tiles and keys here')
    .option('--board <url>', 'another board, over HTTP')
    .action(late(async () => (await import('./export.js')).exportBoard));
  board
    .command('backup <folder>')
    .description('write the whole database into a new folder')
    .action(late(async () => (await import('./backup.js')).backup));
  board
    .command('restore [folder]')
    .description('fill an empty database from a backup')
    .option('--no-peers', 'open writes without waiting for a peer')
    .action(late(async () => (await import('./restore.js')).restore));
  board
    .command('verify-backup <folder>')
    .description('restore a backup on trial, into a throw-away database')
    .action(
      late(async () => (await import('./verify-backup.js')).verifyBackup),
    );
  board
    .command('clock')
    .description("the clock of this node's machine")
    .command('accept')
    .description('say that it is right after it jumped ahead; opens writes')
    .action(late(async () => (await import('./clock.js')).acceptClock));
  addMeshCommands(board);
  addJson(board);
  addOperatorsWork(board);
  addOperatorCommands(board);
  addAgentCommands(board);
  return board;
}

/** Gives each command below this one, groups aside, `--json` as its last option. */
function addJson(command: Command): void {
  if (command.commands.length === 0) command.option(...JSON_OPTION);
  command.commands.forEach(addJson);
}

const WORK = {
  decision: 'record a decision, with its public explanation',
  report: 'what readers reported: list, resolve',
  usefulness: 'usefulness reports: draft, publish, discard',
};

/**
 * Decisions, reports and usefulness (spec/board.md §14.5, §15): their arguments
 * and flags are those of the dashboard's commands, which load when they run.
 */
function addOperatorsWork(board: Command): void {
  for (const [name, description] of Object.entries(WORK)) {
    board.command(name).description(description);
  }
  board.hook('preSubcommand', async (_board, one) => {
    if (!Object.hasOwn(WORK, one.name())) return;
    (await import('./operator-work.js')).addWork(one);
  });
}

/**
 * `operator invite|list|disable|do` (spec/operators.md §1.1, §3, spec/board.md
 * §14.5).
 */
function addOperatorCommands(board: Command): void {
  const operator = board
    .command('operator')
    .description('the people who run this node, and their work');
  operator
    .command('invite')
    .description('print a set-up link for one hour and one use')
    .argument('<name>', 'what the operator signs in with, such as anna')
    .requiredOption('--role <role>', 'viewer, moderator or admin')
    .action(late(async () => (await import('./operator.js')).inviteOperator));
  operator
    .command('list')
    .description('show every account, its role and state')
    .action(late(async () => (await import('./operator.js')).listOperators));
  operator
    .command('disable')
    .description('end an account and all its sessions')
    .argument('<name>', 'the name of the account')
    .action(late(async () => (await import('./operator.js')).disableOperator));
  addJson(operator);
  operator
    .command('do')
    .description('give any command of the dashboard, such as queue.list');
  operator.hook('preSubcommand', async (_operator, one) => {
    if (one.name() !== 'do') return;
    (await import('./operator-work.js')).addEveryCommand(one);
  });
}
