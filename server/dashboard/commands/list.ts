import type { z } from 'zod';
import { BoardError } from '../../errors.js';
import { parseBody } from '../../http/body/validate.js';
import { checkAction } from '../actions.js';
import { type Audit, audited } from '../audit.js';
import type { CommandAnswers, CommandName } from '../schemas/commands.js';
import type { SignedIn } from '../session.js';
import * as alerts from './alerts.js';
import * as bulk from './bulk.js';
import * as bulkRun from './bulk-run.js';
import * as charts from './charts.js';
import * as claims from './claims.js';
import {
  type ActionContext,
  type Command,
  type Operator,
  operatorFrom,
} from './command.js';
import * as decide from './decide.js';
import * as decisions from './decisions.js';
import * as deliveries from './deliveries.js';
import * as find from './find.js';
import * as history from './history.js';
import * as item from './item.js';
import * as notes from './notes.js';
import * as notifications from './notifications.js';
import * as overview from './overview.js';
import * as peers from './peers.js';
import * as queue from './queue.js';
import * as reports from './reports.js';
import * as response from './response.js';
import * as select from './select.js';
import * as templatesAndViews from './templates-and-views.js';
import * as usefulness from './usefulness.js';
import * as watchRules from './watch-rules.js';

const LIST = [
  overview.overview,
  find.findText,
  charts.readChart,
  charts.readLags,
  charts.listSamples,
  queue.listQueue,
  select.selectAlike,
  item.readItem,
  response.readResponse,
  history.readHistory,
  notes.addNote,
  notes.removeNote,
  bulk.beginBulk,
  bulk.addToBulk,
  bulkRun.runBulk,
  bulk.cancelBulk,
  bulk.undoBulk,
  bulk.readBulk,
  bulk.listBulks,
  queue.listHidden,
  decisions.listDecisions,
  decide.previewDecision,
  decide.decide,
  claims.claim,
  claims.unclaim,
  reports.listReports,
  reports.settleReports,
  queue.listPolls,
  usefulness.listUsefulness,
  usefulness.draftUsefulness,
  usefulness.previewUsefulness,
  usefulness.publishUsefulness,
  usefulness.discardUsefulness,
  templatesAndViews.listTemplates,
  templatesAndViews.saveTemplate,
  templatesAndViews.removeTemplate,
  templatesAndViews.listViews,
  templatesAndViews.saveView,
  templatesAndViews.removeView,
  overview.readSystem,
  alerts.settle,
  watchRules.listRules,
  watchRules.saveRule,
  watchRules.removeRule,
  watchRules.listVersions,
  watchRules.dryRun,
  notifications.listChannels,
  notifications.saveChannel,
  notifications.removeChannel,
  notifications.testChannel,
  deliveries.listDeliveries,
  deliveries.retryDelivery,
  ...peers.peerCommands,
] as const;

/** A contract without its command does not compile. */
type Missing = Exclude<CommandName, (typeof LIST)[number]['name']>;
type Commands = { readonly [N in CommandName]: Command<N> };

export const COMMANDS = Object.fromEntries(
  LIST.map((it) => [it.name, it]),
) as unknown as [Missing] extends [never] ? Commands : never;

export function isCommand(name: unknown): name is CommandName {
  return typeof name === 'string' && Object.hasOwn(COMMANDS, name);
}

export function unknownCommand(): BoardError {
  return new BoardError('not_found', 'There is no command of this name.');
}

/**
 * One command of a signed-in operator, over HTTP or a socket: first the role
 * and the age of the credential, then the shape of its input, then its work.
 *
 * @throws BoardError of any of the three
 */
export async function runCommand<N extends CommandName>(
  context: ActionContext,
  session: SignedIn,
  name: N,
  input: unknown,
): Promise<CommandAnswers[N]> {
  const { right: least, fresh = false } = COMMANDS[name];
  checkAction(session, { least, fresh }, context.clock.now());
  return await doCommand(context, operatorFrom(session), name, input);
}

/**
 * The same for the command line, which has every right.
 *
 * @throws BoardError of the input's shape and of the work
 */
export async function doCommand<N extends CommandName>(
  context: ActionContext,
  operator: Operator,
  name: N,
  input: unknown,
): Promise<CommandAnswers[N]> {
  const it = COMMANDS[name] as unknown as {
    input: z.ZodType<never>;
    handle(
      context: ActionContext,
      operator: Operator,
      input: never,
      audit: Audit,
    ): Promise<CommandAnswers[N]>;
  };
  const asked = parseBody(it.input, input);
  const audit: Audit = (work) => audited(context, operator, name, work);
  return await it.handle(context, operator, asked, audit);
}
