import type { Command } from 'commander';

const JSON_OPTION = ['--json', 'print JSON for programs'] as const;

/**
 * `operator invite|list|disable|do` (spec/operators.md §1.1, §3, spec/board.md
 * §14.5).
 */
export function addOperatorCommands(board: Command): void {
  const operator = board
    .command('operator')
    .description('the people who run this node, and their work');
  operator
    .command('invite')
    .description('print a set-up link for one hour and one use')
    .argument('<name>', 'what the operator signs in with, such as anna')
    .requiredOption('--role <role>', 'viewer, moderator or admin')
    .option(...JSON_OPTION)
    .action(async (name: string, options: { role: string; json?: boolean }) =>
      (await import('./operator.js')).inviteOperator(name, options),
    );
  operator
    .command('list')
    .description('show every account, its role and state')
    .option(...JSON_OPTION)
    .action(async (options: { json?: boolean }) =>
      (await import('./operator.js')).listOperators(options),
    );
  operator
    .command('disable')
    .description('end an account and all its sessions')
    .argument('<name>', 'the name of the account')
    .option(...JSON_OPTION)
    .action(async (name: string, options: { json?: boolean }) =>
      (await import('./operator.js')).disableOperator(name, options),
    );
  operator
    .command('do')
    .description('give any command of the dashboard, such as queue.list')
    .argument('<command>', 'its name; a wrong one lists them all')
    .argument('[input]', 'its input as JSON (default: {})')
    .option('--operator <alias>', 'the public alias (default: operator)')
    .option(...JSON_OPTION)
    .action(async (name: string, input: string | undefined, options) =>
      (await import('./operator-do.js')).doAsOperator(name, input, options),
    );
}
