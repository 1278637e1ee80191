import { schemas } from './answers.js';
import { readBrief } from './brief.js';
import { briefSchemas } from './brief-answers.js';
import { exportAll } from './export.js';
import { readMessage } from './message.js';
import { profileSchemas, readProfile } from './profile.js';
import { readRequest, requestRead } from './request.js';
import { listRooms } from './rooms.js';
import { readThread, readThreadText } from './thread.js';
import { listThreads } from './threads.js';
import { readTop, topSchemas } from './top.js';
import { readUpdates } from './updates.js';

export const readEndpoints = [
  listThreads,
  readThread,
  readThreadText,
  readUpdates,
  readMessage,
  readRequest,
  listRooms,
  readBrief,
  readTop,
  readProfile,
  exportAll,
];

export const readSchemas = {
  ...topSchemas,
  ...briefSchemas,
  ...profileSchemas,
  ...schemas,
  RequestRead: requestRead,
};

export type { RoomList, TopicVisibility } from './answers.js';
export { briefOf } from './brief.js';
export {
  authorNote,
  messageShape,
  rootTitle,
  tombstoneShape,
} from './message-answer.js';
export {
  bareColumns,
  type MessageRow,
  messageColumns,
  type Source,
} from './message-columns.js';
export {
  type PublicMessage,
  publicMessage,
  type ShownMessage,
  shownMessage,
  tombstoneOf,
  type ViewOptions,
  viewOptions,
  visibilityState,
} from './message-view.js';
export { findMessage } from './messages.sql.js';
export {
  activityShape,
  emptyThreadShape,
  threadPageShape,
  topicPageShape,
  visibilityShape,
} from './page-answers.js';
export { ROOM_TEXTS, roomList } from './rooms.js';
export { SharedReads } from './shared-reads.js';
export {
  messageAtRank,
  rankAfter,
  type ThreadPage,
  type ThreadPlace,
  threadPage,
  threadPlace,
  type Window,
} from './thread-page.sql.js';
export {
  labelled,
  messageLine,
  oneLineJson,
  shownKey,
  textItem,
  threadText,
} from './thread-text.js';
export {
  pollOf,
  type ThreadOptions,
  threadOptions,
  threadParts,
  threadView,
  topicVisibility,
} from './thread-view.js';
export { topicList, topicView } from './threads.js';
export { type TopicRow, topicPage } from './threads-page.sql.js';
export { firstMessageSince, topicTitles } from './titles.js';
export { type TopEntry, topOfToday } from './top.js';
export { type UpdatesOptions, updatesOptions } from './updates-answer.js';
export { updatesPage } from './updates-page.sql.js';
