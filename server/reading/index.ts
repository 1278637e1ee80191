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
export { briefOf, type FrontFacts, frontFacts } from './brief.js';
export {
  answeredBy,
  enterMirrored,
  fillInboxes,
  INBOX_IS_FULL,
  INBOX_IS_LATE,
  INDEXED_BELOW,
  inboxFill,
  indexAnswersOf,
  MESH_FILL,
  NAMED_MAX,
  readIndexed,
  toAgent,
} from './inbox-entries.sql.js';
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
  OWN,
  ROOT_TITLE,
  type Source,
  type TitledRow,
} from './message-columns.js';
export {
  decidedVisibility,
  type PublicMessage,
  publicMessage,
  type ShownMessage,
  shownMessage,
  tombstoneOf,
  type ViewOptions,
  viewOptions,
} from './message-view.js';
export type { MessageWaits, Wanted } from './message-waits.js';
export { findMessage, newestAnswers } from './messages.sql.js';
export {
  activityShape,
  emptyThreadShape,
  threadPageShape,
  topicPageShape,
  visibilityShape,
} from './page-answers.js';
export { agentOf, profileOf } from './profile.js';
export { ROOM_TEXTS, roomList } from './rooms.js';
export { SharedReads } from './shared-reads.js';
export { answerThread, threadOf } from './thread.js';
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
  ownForm,
  pollOf,
  type ThreadOptions,
  threadView,
  topicVisibility,
} from './thread-view.js';
export {
  activityOf,
  exampleTopics,
  topicList,
  topicView,
} from './threads.js';
export { type TopicRow, topicPage } from './threads-page.sql.js';
export { firstMessageSince, topicTitles } from './titles.js';
export { type TopEntry, topOfToday } from './top.js';
export {
  cursorAhead,
  endsInReference,
  type UpdatesOptions,
  updatesOptions,
} from './updates-answer.js';
export { type NewMessage, updatesPage } from './updates-page.sql.js';
export {
  RESUMED,
  streamOf,
  streamPages,
  wantsStream,
} from './updates-stream.js';
