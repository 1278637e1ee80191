import { z } from 'zod';
import type {
  PeerDetail,
  PeerHoldings,
  PeerPolicy,
  PolicyDifference,
} from '../../../mesh/peer-port.js';
import type { Found, Unacknowledged } from './desk-views.js';
import * as notify from './notifications.js';
import * as read from './read-inputs.js';
import * as scale from './scale-inputs.js';
import type * as seen from './scale-views.js';
import type * as view from './views.js';
import * as watch from './watch.js';
import * as write from './write-inputs.js';

export type { PublicDecisionSeen } from './views.js';

export type Decided = {
  decision: view.PublicDecisionSeen;
  message_id: number;
  moderation_url: string;
  /** Reports of the message that it left open; of a recorded one. */
  open_reports?: string[];
};

/** What readers would see, and what the log would say. */
export type DecisionPreview = Decided & {
  state: view.MessageState;
  log_entry: string;
};

type Settled = { report_ids: string[]; status: 'resolved' | 'dismissed' };

/** What a command takes, checked, and the type of what it answers. */
function contract<I extends z.ZodType, A>(input: I, answer: z.ZodType<A>) {
  return { input, answer };
}

const bulk = z.custom<seen.BulkSeen>();
const peer = z.custom<PeerDetail>();
const usefulness = z.custom<view.UsefulnessSeen>();

/**
 * Input and answer of every command, for the browser and the server alike:
 * pure, no server code. What a command does, and who may, is declared in
 * `dashboard/commands/`.
 */
export const CONTRACTS = {
  'overview.read': contract(read.nothing, z.custom<view.Overview>()),
  'board.find': contract(read.findInput, z.custom<Found>()),
  'overview.chart': contract(read.chartInput, z.custom<view.Chart>()),
  'history.lag': contract(read.chartInput, z.custom<view.LagChart>()),
  'history.list': contract(read.samplesInput, z.custom<view.SamplePage>()),
  'queue.list': contract(read.queueInput, z.custom<view.QueuePage>()),
  'queue.select': contract(scale.selectInput, z.custom<seen.Selection>()),
  'item.read': contract(read.itemInput, z.custom<view.Item>()),
  'bulk.begin': contract(scale.beginBulkInput, bulk),
  'bulk.add': contract(scale.addToBulkInput, bulk),
  'bulk.run': contract(scale.runBulkInput, z.custom<seen.BulkProgress>()),
  'bulk.cancel': contract(scale.bulkInput, bulk),
  'bulk.undo': contract(scale.undoBulkInput, bulk),
  'bulk.read': contract(scale.readBulkInput, z.custom<seen.BulkPage>()),
  'bulk.list': contract(scale.listBulksInput, z.custom<seen.BulkList>()),
  'item.history': contract(scale.historyInput, z.custom<seen.History>()),
  'note.add': contract(
    scale.addNoteInput,
    z.custom<seen.NoteSeen & { subject: string }>(),
  ),
  'note.remove': contract(
    scale.removeNoteInput,
    z.custom<{ id: string; subject: string }>(),
  ),
  'response.read': contract(
    scale.responseInput,
    z.custom<seen.ResponseFigures>(),
  ),
  'hidden.list': contract(read.hiddenInput, z.custom<view.HiddenPage>()),
  'decision.list': contract(read.decisionsInput, z.custom<view.DecisionPage>()),
  'decision.preview': contract(write.decideInput, z.custom<DecisionPreview>()),
  'decision.record': contract(write.decideInput, z.custom<Decided>()),
  'subject.claim': contract(
    write.claimInput,
    z.custom<{ subject: string; claim: view.Claim }>(),
  ),
  'subject.unclaim': contract(
    write.claimInput,
    z.custom<{ subject: string; claim: null }>(),
  ),
  'report.list': contract(read.listReportsInput, z.custom<view.ReportPage>()),
  'report.settle': contract(write.settleReportsInput, z.custom<Settled>()),
  'poll.list': contract(read.pollsInput, z.custom<view.PollPage>()),
  'usefulness.list': contract(
    read.listUsefulnessInput,
    z.custom<view.UsefulnessPage>(),
  ),
  'usefulness.draft': contract(write.draftUsefulnessInput, usefulness),
  'usefulness.preview': contract(write.publishUsefulnessInput, usefulness),
  'usefulness.publish': contract(write.publishUsefulnessInput, usefulness),
  'usefulness.discard': contract(
    write.discardUsefulnessInput,
    z.custom<{ id: number }>(),
  ),
  'template.list': contract(
    read.nothing,
    z.custom<{ data: view.Template[] }>(),
  ),
  'template.save': contract(write.saveTemplateInput, z.custom<view.Template>()),
  'template.remove': contract(write.named, z.custom<{ name: string }>()),
  'view.list': contract(read.nothing, z.custom<{ data: view.SavedView[] }>()),
  'view.save': contract(write.saveViewInput, z.custom<view.SavedView>()),
  'view.remove': contract(write.named, z.custom<{ name: string }>()),
  'system.read': contract(read.nothing, z.custom<view.SystemView>()),
  'alert.settle': contract(
    write.settleAlertInput,
    z.custom<{ kind: string; subject: string }>(),
  ),
  'watch.list': contract(
    read.nothing,
    z.custom<{ data: watch.WatchRuleSeen[] }>(),
  ),
  'watch.save': contract(watch.saveWatchInput, z.custom<watch.WatchRuleSeen>()),
  'watch.remove': contract(watch.watchIdInput, z.custom<{ id: string }>()),
  'watch.versions': contract(
    watch.watchVersionsInput,
    z.custom<watch.WatchVersions>(),
  ),
  'watch.try': contract(watch.tryWatchInput, z.custom<watch.WatchTrial>()),
  'notification.list': contract(read.nothing, z.custom<notify.ChannelList>()),
  'notification.save': contract(
    notify.saveChannelInput,
    z.custom<notify.ChannelSaved>(),
  ),
  'notification.remove': contract(
    notify.channelIdInput,
    z.custom<{ id: string }>(),
  ),
  'notification.test': contract(
    notify.channelIdInput,
    z.custom<{ delivery_id: string }>(),
  ),
  'notification.deliveries': contract(
    notify.deliveriesInput,
    z.custom<notify.DeliveryPage>(),
  ),
  'notification.retry': contract(notify.retryInput, z.custom<{ id: string }>()),
  'peer.list': contract(read.nothing, z.custom<PeerDetail[]>()),
  'peer.read': contract(write.peerInput, peer),
  'peer.add': contract(write.addPeerInput, peer),
  'peer.confirm': contract(write.confirmPeerInput, peer),
  'peer.trust': contract(write.trustPeerInput, peer),
  'peer.limits': contract(write.limitPeerInput, peer),
  'peer.pause': contract(write.peerInput, peer),
  'peer.resume': contract(write.peerInput, peer),
  'peer.block': contract(write.blockPeerInput, peer),
  'peer.holdings': contract(write.peerInput, z.custom<PeerHoldings>()),
  'peer.unacknowledged': contract(
    read.nothing,
    z.custom<{ data: Unacknowledged[] }>(),
  ),
  'peer.forget': contract(write.peerInput, z.custom<PeerHoldings>()),
  'peer.hide': contract(
    write.hideMirroredInput,
    z.custom<{ board: string; id: number; hidden: boolean }>(),
  ),
  'peer.policy_export': contract(read.nothing, z.custom<PeerPolicy>()),
  'peer.policy_import': contract(
    write.policyInput,
    z.custom<PolicyDifference[]>(),
  ),
};

type Contracts = typeof CONTRACTS;
export type CommandName = keyof Contracts;
/** As a dashboard sends it, before defaults. */
export type CommandInput<N extends CommandName> = z.input<
  Contracts[N]['input']
>;
/** As a command gets it. */
export type CommandAsked<N extends CommandName> = z.output<
  Contracts[N]['input']
>;
export type CommandAnswers = {
  [N in CommandName]: z.output<Contracts[N]['answer']>;
};

export type CommandRequest<N extends CommandName = CommandName> = {
  name: N;
  input: CommandInput<N>;
};

/** The body of an error, as over HTTP (spec/board.md §1.5). */
export type CommandError = {
  error: string;
  detail: string;
  [member: string]: unknown;
};
export type CommandReply<N extends CommandName = CommandName> =
  | { ok: true; data: CommandAnswers[N] }
  | { ok: false; status: number; error: CommandError };
