import type { Command } from 'commander';
import { z } from 'zod';
import { inertBlock, inertJson } from '../../client/cli/inert.js';
import { Progress } from '../../client/cli/progress.js';
import { say } from '../../client/cli/standard-output.js';
import { ALIAS_MAX, subjectWords } from '../../protocol/moderation.js';
import { DAY_MS, publicTime, systemClock, utcDay } from '../clock.js';
import {
  COMMANDS,
  type CommandAnswers,
  type CommandName,
  doCommand,
  isCommand,
} from '../dashboard/all-commands.js';
import {
  type CommandContext,
  commandLine,
  type Command as Declared,
  type Operator,
} from '../dashboard/command.js';
import type { ReportSeen } from '../dashboard/commands/reports.js';
import type { UsefulnessSeen } from '../dashboard/commands/usefulness.js';
import { said } from '../dashboard/fields.js';
import { BoardError } from '../errors.js';
import { parseBody } from '../http/body/validate.js';
import {
  addFields,
  inHelp,
  type Options,
  parsedJson,
} from './command-flags.js';
import { CommandFailure, decisionLine, refusal } from './failure.js';
import { assertAgreed, JSON_OPTION } from './output.js';
import { withLocalBoard } from './with-local-board.js';

type Input = Record<string, unknown>;

type Shown<N extends CommandName> = {
  /** Members beside `ok`, or a list alone. */
  json(answer: CommandAnswers[N]): object;
  text(answer: CommandAnswers[N]): string;
  option?: readonly [flags: string, description: string];
  /** At the end of its help. */
  help?: string;
  /** Asked first, where it cannot be undone. */
  asks?(input: Input, options: Options): Promise<void>;
  /** Fills in what a call may leave out. */
  complete?(input: Input, options: Options): Input;
  /** Asked when it is done. */
  after?(answer: CommandAnswers[N], options: Options): Promise<void>;
};

/** How answers are shown, by name. */
export type ShownWork = { readonly [N in CommandName]?: Shown<N> };

const SHOWN: ShownWork = {
  'decision.record': {
    json: (done) => done,
    text: ({ decision, moderation_url: url, open_reports = [] }) =>
      [
        `Recorded ${decisionLine(decision)}\n${url}`,
        ...open_reports.map(
          (id) =>
            `A report of it is still open: reserve-board report resolve ${id}`,
        ),
      ].join('\n'),
  },
  'report.list': {
    json: (page) => ({ ...page, count: page.data.length }),
    text: ({ data, next }) =>
      [
        ...(data.length > 0 ? data.map(reportLine) : ['No report waits.']),
        ...(next === null ? [] : [`more: report list --after ${next}`]),
      ].join('\n'),
  },
  'report.settle': {
    option: ['--dismiss', 'they are unfounded'],
    complete: (input, { dismiss }) => ({
      as: dismiss ? 'dismissed' : 'resolved',
      ...input,
    }),
    json: (done) => done,
    text: (done) => `Now ${done.status}: ${done.report_ids.join(', ')}`,
  },
  'usefulness.draft': {
    complete: (input) => {
      const to = input.to ?? utcDay(systemClock.now());
      return { from: weekBefore(String(to)), ...input, to };
    },
    json: (report) => ({ report }),
    text: (report) =>
      [
        JSON.stringify(report, null, 2),
        `Draft ${report.id} of ${report.period.start} to ${report.period.end}; what came after is in the next one.`,
        ...(isEmpty(report) ? [NOTHING] : []),
        `Make it public with: reserve-board usefulness publish ${report.id} --seen ${report.changed_at}`,
      ].join('\n'),
  },
  'usefulness.publish': {
    option: ['--yes', 'do not ask'],
    asks: ({ id }, options) => assertAgreed(options, [forGood(id)], 'publish'),
    json: (report) => ({ report }),
    text: ({ id, period }) =>
      `Published report ${id} (${period.start} to ${period.end}).`,
  },
  'usefulness.discard': {
    json: (done) => done,
    text: ({ id }) => `Discarded the draft ${id}.`,
  },
};

const forGood = (id: unknown) =>
  `This makes usefulness report ${id} public, as it is and for good: "reserve-board operator do usefulness.preview --id ${id}" shows it.`;

const NOTHING =
  'No topic or reply was published in that time: discard the draft, or name another time by --from and --to.';

function isEmpty({ metrics }: UsefulnessSeen): boolean {
  const { content } = metrics as { content: Record<string, number> };
  return content.topics === 0 && content.replies === 0;
}

function reportLine(it: ReportSeen): string {
  const about = `${it.status}  ${subjectWords(it.subject)}  ${it.kind} (${it.reason})`;
  const head = `${it.request_id}  ${about.replaceAll('_', ' ')} of ${publicTime(it.created_at)}`;
  return it.detail ? `${head}\n${inertBlock(it.detail)}` : head;
}

function weekBefore(day: string): string {
  const end = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(end) ? day : utcDay(end - 7 * DAY_MS);
}

const OPERATOR = [
  '--operator <alias>',
  'the public alias (default: operator)',
] as const;

/** As declared by the dashboard's commands (spec/board.md §14.5). */
export function addWork(group: Command, shown = SHOWN): void {
  for (const it of Object.values(COMMANDS)) {
    const [first, second] = it.cli?.words?.split(' ') ?? [];
    if (first !== group.name()) continue;
    const to = second === undefined ? group : group.command(second);
    addNamed(to, it, shown[it.name] as Shown<CommandName>);
  }
}

function addNamed(
  to: Command,
  it: Declared & { name: CommandName },
  shown: Shown<CommandName>,
): void {
  const { words = '', positional, flags } = it.cli ?? {};
  to.description(inHelp(it.summary));
  const read = addFields(to, it.input, positional, flags);
  if (shown.option !== undefined) to.option(...shown.option);
  if (!OF_PEERS.test(it.name)) to.option(...OPERATOR);
  to.option(...JSON_OPTION);
  if (shown.help !== undefined) to.addHelpText('after', shown.help);
  to.action(async () => {
    const options: Options = to.opts();
    const input = read(to.processedArgs, options);
    const asked = shown.complete?.(input, options) ?? input;
    await shown.asks?.(asked, options);
    const answer = await new Progress(words, options.json === true).during(
      asOperator(it.name, asked, options),
    );
    const json = shown.json(answer);
    const whole = Array.isArray(json) ? json : { ok: true, ...json };
    say(`${options.json ? inertJson(whole) : shown.text(answer)}\n`);
    await shown.after?.(answer, options);
  });
}

/** `operator do <command>` with a flag per field, or JSON; prints JSON. */
export function addEveryCommand(to: Command): void {
  to.argument('<command>', 'its name; a wrong one lists them all')
    .argument('[input]', 'its input as JSON (default: {})')
    .allowUnknownOption()
    .allowExcessArguments()
    .action((name: string, input?: string) => doAsOperator(name, input));
  for (const it of Object.values(COMMANDS)) {
    const one = to.command(it.name).description(inHelp(it.summary));
    one.argument('[input]', 'its input as JSON (default: {})');
    const read = addFields(one, it.input, [], it.cli?.flags);
    one.option(...OPERATOR).option(...JSON_OPTION);
    one.action(async (input: string | undefined, options: Options) =>
      doAsOperator(it.name, input, options, read([], options)),
    );
  }
}

/** Commands that show or ask linked boards. */
const OF_PEERS = /^peer\.|^overview\.read$|^report\.pass_on$/;

/** For scripts (spec/operators.md §3). */
export async function doAsOperator(
  name: string,
  input = '{}',
  options: Options = {},
  flags: Input = {},
): Promise<void> {
  if (!isCommand(name)) {
    const names = Object.keys(COMMANDS).join(', ');
    throw new CommandFailure(
      `There is no command ${name}; name one of ${names}.`,
    );
  }
  const whole = parsedJson(input, 'The input');
  const isObject = typeof whole === 'object' && !Array.isArray(whole);
  const asked = isObject ? { ...whole, ...flags } : whole;
  const data = await asOperator(name, asked, options);
  say(`${inertJson({ ok: true, data })}\n`);
}

const operatorOption = z.object({ operator: said(ALIAS_MAX) });

/** With every right; a refusal is one sentence. */
export async function asOperator<N extends CommandName>(
  name: N,
  input: unknown,
  { operator: alias = 'operator' }: Options = {},
): Promise<CommandAnswers[N]> {
  let operator: Operator;
  try {
    const { input: schema } = COMMANDS[name];
    parseBody<unknown>(schema, input); // before the database is looked for
    operator = commandLine(
      parseBody(operatorOption, { operator: alias }).operator,
    );
  } catch (error) {
    throw error instanceof BoardError ? refusal(error) : error;
  }
  const work = (context: CommandContext) =>
    doCommand(context, operator, name, input);
  if (!OF_PEERS.test(name)) return await withLocalBoard(work);
  const { withPeers } = await import('../../mesh/cli/with-local-board.js');
  return await withPeers(work);
}
