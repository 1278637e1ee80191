import { type Command, Option } from 'commander';
import { JSON_OPTION } from './output.js';

const policies = () => import('../../mesh/cli/peer-policy.js');

function lazy<Module>(load: () => Promise<Module>, name: keyof Module) {
  return async (...args: unknown[]): Promise<void> => {
    const run = (await load())[name] as (...given: unknown[]) => Promise<void>;
    await run(...args);
  };
}

const LEVEL_HELP = `
Levels, each with the ones before it:
  0 verifier  serves nothing that is wrong
  1 mirrored  serves its identity and the feed of its log
  2 witness   watches other logs, cosigns them, and proves its own
  3 mirror    serves the logs that it cosigned, and evidence
  4 relay     serves keys and proofs, and takes posts
Without --level the level that the other board states must hold, else level 1.
Each line names the section of /protocol/mesh.md. Exit code 0: the level holds.
--active, of level 4, posts twice, as "conformance check", where PEER_CHECKS=on allows it.
`;

export function addLogCommands(board: Command): void {
  const log = board
    .command('log')
    .description("begin, restore or replace the board's own log");
  log
    .command('begin')
    .description(
      'begin the log with a seed that was there before the first start and has never signed anything',
    )
    .option('--yes', 'do not ask')
    .action(lazy(() => import('../../mesh/cli/log-begin.js'), 'logBegin'));
  log
    .command('restore')
    .description("pull what this board's log lacks from its mirrors")
    .option('--from <url...>', 'boards to ask (default: the active peers)')
    .option('--dry-run', 'say what would be restored and lost; change nothing')
    .action(lazy(() => import('../../mesh/cli/log-restore.js'), 'logRestore'));
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
    .option('--dry-run', 'say what it would do, and change nothing')
    .option('--yes', 'do not ask')
    .action(
      lazy(
        () => import('../../mesh/cli/log-new-generation.js'),
        'logNewGeneration',
      ),
    );
}

export function addKeyRotation(keys: Command): void {
  keys
    .command('rotate')
    .description('make a new signing key, which linked boards can follow')
    .addOption(
      new Option('--key <which>', 'the key that is replaced')
        .choices(['log', 'mirror', 'node'])
        .makeOptionMandatory(),
    )
    .option('--from <url...>', 'for the log: boards that mirror it')
    .option('--yes', 'do not ask')
    .action(lazy(() => import('../../mesh/cli/rotate-keys.js'), 'rotateKeys'));
}

/** Beside those of the dashboard's commands (`operator-work.ts`). */
export function addPeerCommands(board: Command): void {
  const peer = board
    .command('peer')
    .description('link boards: whom this one mirrors, and how far it trusts');
  peer
    .command('check <url>')
    .description(
      'check from outside how any software speaks the protocol of the mesh',
    )
    .option('--level <n>', 'the level that must hold, 0 to 4')
    .option('--active', 'post in its workshop too, where it allows that')
    .option(...JSON_OPTION)
    .addHelpText('after', LEVEL_HELP)
    .action(lazy(() => import('../../mesh/cli/peer-check.js'), 'peerCheck'));
  const policy = peer
    .command('policy')
    .description('everything decided about peers, as a file');
  policy
    .command('export')
    .description('write it to standard output, as JSON')
    .option(...JSON_OPTION)
    .action(lazy(policies, 'policyExport'));
  policy
    .command('import <file>')
    .description(
      'show what it would change here ("-": standard input; or a backup)',
    )
    .option('--apply', 'change it')
    .option(...JSON_OPTION)
    .action(lazy(policies, 'policyImport'));
}
