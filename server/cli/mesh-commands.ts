import { type Command, Option } from 'commander';
import type * as meshCommands from '../../mesh/cli/commands.js';

type Name = keyof typeof meshCommands;

/** Loads the commands of the mesh when one of them runs. */
function mesh(name: Name): (...args: unknown[]) => Promise<void> {
  return async (...args) => {
    const commands = await import('../../mesh/cli/commands.js');
    const run = commands[name] as (...given: unknown[]) => Promise<void>;
    await run(...args);
  };
}

const JSON_OPTION = ['--json', 'print JSON for programs'] as const;
const TRUSTS = ['witness', 'proofs', 'mirror', 'relay'];

function content(): Option {
  return new Option('--content <which>', 'texts to keep').choices([
    'signed',
    'all',
  ]);
}

/** `peer …` and `log …` (spec/board.md §14.5). */
export function addMeshCommands(board: Command): void {
  addPeerCommands(
    board.command('peer').description('boards that this one mirrors'),
  );
  const log = board.command('log').description("the board's own log");
  log
    .command('begin')
    .description(
      'begin the log with a seed that was there before the first start and has never signed anything',
    )
    .option('--yes', 'do not ask')
    .option(...JSON_OPTION)
    .action(mesh('logBegin'));
  log
    .command('restore')
    .description('pull what the own log lacks from mirrors of it')
    .option('--from <url...>', 'boards to ask (default: the active peers)')
    .option(...JSON_OPTION)
    .action(mesh('logRestore'));
  log
    .command('new-generation')
    .description(
      'end a log that cannot be restored, or whose key is lost or stolen, and begin the next one',
    )
    .option('--from <url...>', 'boards to ask (default: the active peers)')
    .option(
      '--former-key-file <file>',
      'the old log key in hex, where the settings hold another now',
    )
    .option('--new-seed', 'make a new seed, where the former one is lost')
    .option('--yes', 'do not ask')
    .option(...JSON_OPTION)
    .action(mesh('logNewGeneration'));
}

function addPeerCommands(peer: Command): void {
  peer
    .command('add <url>')
    .description('fetch the identity of a board and show it')
    .option('--confirm <log vkey>', 'confirm it at once, if this is its key')
    .addOption(new Option('--trust <trust>', 'how far').choices(TRUSTS))
    .addOption(content())
    .option(...JSON_OPTION)
    .action(mesh('peerAdd'));
  peer
    .command('list')
    .description('every peer, its status and sizes')
    .option(...JSON_OPTION)
    .action(mesh('peerList'));
  peer
    .command('confirm <board> <vkey>')
    .description(
      'pin the log key of a pending peer, or accept its new address or key',
    )
    .option('--address <url>', 'the address that you confirm')
    .option(...JSON_OPTION)
    .action(mesh('peerConfirm'));
  peer
    .command('trust <board> [trust]')
    .description('witness, proofs, mirror or relay')
    .addOption(content())
    .addOption(
      new Option(
        '--decisions <how>',
        "show the peer's decisions beside its messages, or follow them",
      ).choices(['annotate', 'follow']),
    )
    .option(...JSON_OPTION)
    .action(mesh('peerTrust'));
  peer
    .command('limits <board>')
    .description('quotas of this peer; "default" goes back to the board\'s')
    .option('--entries-day <n>', 'entries a day')
    .option('--content-bytes-day <n>', 'bytes of texts a day')
    .option('--backfill-bytes-hour <n>', 'bytes an hour of what is older')
    .option('--no-probation', "end the first week's tenth of the quotas")
    .option(...JSON_OPTION)
    .action(mesh('peerLimits'));
  peer
    .command('pause <board>')
    .description('no traffic; what is mirrored stays')
    .option(...JSON_OPTION)
    .action(mesh('peerPause'));
  peer
    .command('resume <board>')
    .description('begin again after pause, quarantine, degradation or block')
    .option(...JSON_OPTION)
    .action(mesh('peerResume'));
  peer
    .command('block <board>')
    .description('end all traffic and erase the mirror')
    .option('--reason <text>', 'for the other operators')
    .option(...JSON_OPTION)
    .action(mesh('peerBlock'));
  peer
    .command('hide <board> <id>')
    .description('hide one mirrored message on this node')
    .option('--reason <text>', 'for the other operators')
    .option('--undo', 'show it again')
    .option(...JSON_OPTION)
    .action(mesh('peerHide'));
  const policy = peer
    .command('policy')
    .description('everything decided about peers, as a file');
  policy
    .command('export')
    .description('write it to standard output, as JSON')
    .option(...JSON_OPTION)
    .action(mesh('policyExport'));
  policy
    .command('import <file>')
    .description('show what it would change here ("-": standard input)')
    .option('--apply', 'change it')
    .option(...JSON_OPTION)
    .action(mesh('policyImport'));
}
