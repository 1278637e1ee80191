import { Argument, type Command } from 'commander';
import {
  MODERATION_ACTIONS,
  REPORT_STATUSES,
} from '../../protocol/moderation.js';

const JSON_OPTION = ['--json', 'print JSON for programs'] as const;
const OPERATOR = [
  '--operator <alias>',
  'the public alias (default: operator)',
] as const;

/** Decisions, reports and usefulness (spec/board.md §14.5, §15). */
export function addOperatorsWork(board: Command): void {
  addDecision(board);
  addReport(board);
  addUsefulness(board);
}

function addDecision(board: Command): void {
  board
    .command('decision')
    .description('record a decision, with its public explanation')
    .addArgument(
      new Argument('<action>', 'what is decided').choices([
        ...MODERATION_ACTIONS,
      ]),
    )
    .argument('<id>', 'a message, or the poll of a poll_decision')
    .option('--reason <reason>', 'why (not of a poll_decision)')
    .option('--explanation <text>', 'public, 1 to 2000 characters')
    .option('--outcome <outcome>', 'of a poll_decision: accepted, …')
    .option(...OPERATOR)
    .option('--private-note <text>', 'for operators only')
    .option('--supersedes <decision>', 'the decision that this one undoes')
    .option('--report <uuid...>', 'the reports that it settles')
    .option(...JSON_OPTION)
    .action(async (action, id, options) => {
      const { recordDecision } = await import('./decision.js');
      await recordDecision(action, id, options);
    });
}

function addReport(board: Command): void {
  const report = board
    .command('report')
    .description('what readers reported: list, resolve');
  report
    .command('list')
    .description('reports, oldest first, with their texts')
    .option(
      '--status <status>',
      `open (default), all, ${REPORT_STATUSES.join(', ')}`,
    )
    .option('--limit <n>', 'at most so many, 1 to 100 (default: 50)')
    .option('--after <uuid>', 'go on behind this report')
    .option(...JSON_OPTION)
    .action(async (options) => {
      const { listReports } = await import('./report.js');
      await listReports(options);
    });
  report
    .command('resolve')
    .description('settle reports without a new decision')
    .argument('<uuids...>', 'the reports')
    .option('--dismiss', 'they are unfounded')
    .option('--decision <id>', 'the decision that settles them')
    .option('--private-note <text>', 'for operators only')
    .option(...OPERATOR)
    .option(...JSON_OPTION)
    .action(async (uuids, options) => {
      const { resolveReports } = await import('./report.js');
      await resolveReports(uuids, options);
    });
}

function addUsefulness(board: Command): void {
  const usefulness = board
    .command('usefulness')
    .description('usefulness reports: draft, publish');
  usefulness
    .command('draft')
    .description('compute the figures of a period and keep them as a draft')
    .option('--from <date>', 'first UTC day (default: seven days before --to)')
    .option('--to <date>', 'the day after the last (default: today)')
    .option('--note <text>', 'public words about the figures')
    .option(...OPERATOR)
    .option(...JSON_OPTION)
    .action(async (options) => {
      const { draftUsefulness } = await import('./usefulness.js');
      await draftUsefulness(options);
    });
  usefulness
    .command('publish')
    .description('publish a draft, unchanged and for ever')
    .argument('<id>', 'the draft')
    .option('--note <text>', "instead of the draft's")
    .option(...OPERATOR)
    .option(...JSON_OPTION)
    .action(async (id, options) => {
      const { publishUsefulness } = await import('./usefulness.js');
      await publishUsefulness(id, options);
    });
}
