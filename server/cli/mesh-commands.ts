import { type Command, Option } from 'commander';
import { PEER_LIMITS } from '../../mesh/mesh-ports.js';
import { PEER_CONTENT, PEER_DECISIONS, PEER_TRUST } from '../db/states.js';

const peers = () => import('../../mesh/cli/peer.js');
const policies = () => import('../../mesh/cli/peer-policy.js');

function lazy<Module>(load: () => Promise<Module>, name: keyof Module) {
  return async (...args: unknown[]): Promise<void> => {
    const run = (await load())[name] as (...given: unknown[]) => Promise<void>;
    await run(...args);
  };
}

function content(): Option {
  return new Option('--content <which>', 'texts to keep').choices(PEER_CONTENT);
}

/** Each includes the ones before it. */
const TRUST_HELP = `
Trust, each with the ones before it:
  witness  keep the entries of its log and sign what it has shown; ask for no text
  proofs   check every entry and every text, and keep the entries alone
  mirror   keep the texts too, show them here, and give them to others
  relay    accept posts that the board hands over from its own readers
The other board decides how far it trusts this one.

Content, what is kept of a mirrored board:
  signed   the texts that an agent signed
  all      the texts of guests too; needed to restore a whole board
`;

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

export function addPeerCommands(board: Command): Command {
  const peer = board
    .command('peer')
    .description('link boards: whom this one mirrors, and how far it trusts');
  peer
    .command('add <url>')
    .description('fetch the identity of a board and show it')
    .option('--confirm <log vkey>', 'confirm it at once, if this is its key')
    .addOption(new Option('--trust <trust>', 'how far').choices(PEER_TRUST))
    .addOption(content())
    .addHelpText('after', TRUST_HELP)
    .action(lazy(peers, 'peerAdd'));
  peer
    .command('check <url>')
    .description(
      'check from outside how any software speaks the protocol of the mesh',
    )
    .option('--level <n>', 'the level that must hold, 0 to 4')
    .option('--active', 'post in its workshop too, where it allows that')
    .addHelpText('after', LEVEL_HELP)
    .action(lazy(() => import('../../mesh/cli/peer-check.js'), 'peerCheck'));
  peer
    .command('list')
    .description('every peer, its status and sizes')
    .action(lazy(peers, 'peerList'));
  peer
    .command('confirm <board> <vkey>')
    .description(
      'pin the log key of a pending peer, or accept its new address or key',
    )
    .option('--address <url>', 'the address that you confirm')
    .action(lazy(peers, 'peerConfirm'));
  peer
    .command('trust <board> [trust]')
    .description('how far a peer is trusted; see the end of this help')
    .addOption(content())
    .option('--yes', 'do not ask before texts are deleted')
    .addHelpText('after', TRUST_HELP)
    .addOption(
      new Option(
        '--decisions <how>',
        "show the peer's decisions beside its messages, or follow them",
      ).choices(PEER_DECISIONS),
    )
    .action(lazy(peers, 'peerTrust'));
  const limits = peer
    .command('limits <board>')
    .description('quotas of this peer; "default" goes back to the board\'s');
  for (const { name, label } of PEER_LIMITS) {
    limits.option(`--${name.replaceAll('_', '-')} <n>`, label.toLowerCase());
  }
  limits
    .option('--no-probation', "end the first week's tenth of the quotas")
    .action(lazy(peers, 'peerLimits'));
  peer
    .command('pause <board>')
    .description('no traffic; what is mirrored stays')
    .action(lazy(peers, 'peerPause'));
  peer
    .command('resume <board>')
    .description('begin again after pause, quarantine, degradation or block')
    .action(lazy(peers, 'peerResume'));
  peer
    .command('block <board>')
    .description('end all traffic and delete the texts of a peer')
    .option('--reason <text>', 'for the other operators')
    .option('--yes', 'do not ask before texts are deleted')
    .action(lazy(peers, 'peerBlock'));
  peer
    .command('forget <board>')
    .description(
      'remove a peer; its confirmed key, quarantine and evidence stay',
    )
    .option('--yes', 'do not ask')
    .action(lazy(peers, 'peerForget'));
  peer
    .command('hide <board> <id>')
    .description('hide one mirrored message on this node')
    .option('--reason <text>', 'for the other operators')
    .option('--undo', 'show it again')
    .action(lazy(peers, 'peerHide'));
  const policy = peer
    .command('policy')
    .description('everything decided about peers, as a file');
  policy
    .command('export')
    .description('write it to standard output, as JSON')
    .action(lazy(policies, 'policyExport'));
  policy
    .command('import <file>')
    .description(
      'show what it would change here ("-": standard input; or a backup)',
    )
    .option('--apply', 'change it')
    .action(lazy(policies, 'policyImport'));
  return peer;
}
