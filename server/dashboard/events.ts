import type { z } from 'zod';
import type {
  PeerDetail,
  PeerPolicy,
  PolicyDifference,
} from '../../mesh/mesh-ports.js';
import type { Decided, DecisionPreview, Settled } from './schemas/answers.js';
import { decideInput } from './schemas/decide-command.js';
import {
  named,
  saveTemplateInput,
  saveViewInput,
} from './schemas/desk-commands.js';
import type { EventPayloads } from './schemas/payloads.js';
import {
  addPeerInput,
  blockPeerInput,
  confirmPeerInput,
  hideMirroredInput,
  limitPeerInput,
  peerInput,
  policyInput,
  trustPeerInput,
} from './schemas/peer-commands.js';
import {
  chartInput,
  decisionsInput,
  hiddenInput,
  itemInput,
  nothing,
  pollsInput,
  queueInput,
  samplesInput,
} from './schemas/read-commands.js';
import {
  claimInput,
  listReportsInput,
  type ReportPage,
  settleReportsInput,
} from './schemas/report-commands.js';
import {
  draftUsefulnessInput,
  listUsefulnessInput,
  publishUsefulnessInput,
} from './schemas/usefulness-commands.js';
import type * as view from './schemas/views.js';

/**
 * The one map of what the server tells dashboards and what dashboards ask of
 * it (spec/operators.md §4), shared with the browser: types and schemas, no
 * server. Rights stand in the table of actions (`roles.ts`).
 */
export const COMMANDS = {
  'overview.read': nothing,
  'overview.chart': chartInput,
  'history.lag': chartInput,
  'history.list': samplesInput,
  'queue.list': queueInput,
  'item.read': itemInput,
  'hidden.list': hiddenInput,
  'decision.list': decisionsInput,
  'decision.preview': decideInput,
  'decision.record': decideInput,
  'subject.claim': claimInput,
  'subject.unclaim': claimInput,
  'report.list': listReportsInput,
  'report.settle': settleReportsInput,
  'poll.list': pollsInput,
  'usefulness.list': listUsefulnessInput,
  'usefulness.draft': draftUsefulnessInput,
  'usefulness.preview': publishUsefulnessInput,
  'usefulness.publish': publishUsefulnessInput,
  'template.list': nothing,
  'template.save': saveTemplateInput,
  'template.remove': named,
  'view.list': nothing,
  'view.save': saveViewInput,
  'view.remove': named,
  'system.read': nothing,
  'peer.list': nothing,
  'peer.read': peerInput,
  'peer.add': addPeerInput,
  'peer.confirm': confirmPeerInput,
  'peer.trust': trustPeerInput,
  'peer.limits': limitPeerInput,
  'peer.pause': peerInput,
  'peer.resume': peerInput,
  'peer.block': blockPeerInput,
  'peer.hide': hideMirroredInput,
  'peer.policy_export': nothing,
  'peer.policy_import': policyInput,
} as const satisfies Record<string, z.ZodType>;

export type CommandName = keyof typeof COMMANDS;
/** As a dashboard sends it, before defaults. */
export type CommandInput<N extends CommandName> = z.input<(typeof COMMANDS)[N]>;
export type CommandAsked<N extends CommandName> = z.output<
  (typeof COMMANDS)[N]
>;

/** What a command answers. */
export type CommandAnswers = {
  'overview.read': view.Overview;
  'overview.chart': view.Chart;
  'history.lag': view.LagChart;
  'history.list': view.SamplePage;
  'queue.list': view.QueuePage;
  'item.read': view.Item;
  'hidden.list': view.HiddenPage;
  'decision.list': view.DecisionPage;
  'decision.preview': DecisionPreview;
  'decision.record': Decided;
  'subject.claim': { subject: string; claim: view.Claim };
  'subject.unclaim': { subject: string; claim: null };
  'report.list': ReportPage;
  'report.settle': Settled;
  'poll.list': view.PollPage;
  'usefulness.list': view.UsefulnessPage;
  'usefulness.draft': view.UsefulnessSeen;
  'usefulness.preview': view.UsefulnessSeen;
  'usefulness.publish': view.UsefulnessSeen;
  'template.list': { data: view.Template[] };
  'template.save': view.Template;
  'template.remove': { name: string };
  'view.list': { data: view.SavedView[] };
  'view.save': view.SavedView;
  'view.remove': { name: string };
  'system.read': view.SystemView;
  'peer.list': PeerDetail[];
  'peer.read': PeerDetail;
  'peer.add': PeerDetail;
  'peer.confirm': PeerDetail;
  'peer.trust': PeerDetail;
  'peer.limits': PeerDetail;
  'peer.pause': PeerDetail;
  'peer.resume': PeerDetail;
  'peer.block': PeerDetail;
  'peer.hide': { board: string; id: number; hidden: boolean };
  'peer.policy_export': PeerPolicy;
  'peer.policy_import': PolicyDifference[];
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

export type EventKind = keyof EventPayloads;

/** `seq` rises by one from event to event, for all dashboards alike. */
export type AdminEvent<K extends EventKind = EventKind> = {
  seq: number;
  /** When it was numbered, in ms. */
  at: number;
} & EventPayloads[K];

export type ServerToClient = {
  [K in EventKind]: (event: AdminEvent<K>) => void;
};
export type ClientToServer = {
  command: (request: CommandRequest, reply: (it: CommandReply) => void) => void;
};

export const NAMESPACE = '/admin';
export const SOCKET_PATH = '/admin/socket.io';
