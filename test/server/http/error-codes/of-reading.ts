import { newAgent } from '../../../support/agent.js';
import { decideTo } from '../../../support/decide.js';
import { freshNetwork } from '../../../support/fresh-network.js';
import { publish } from '../../../support/post.js';
import { randomUUID } from '../../../support/random.js';
import type { Producers, Scene } from './scene.js';

const NEVER = 999_999;

const get = ({ a }: Scene, path: string) => a.as(freshNetwork()).get(path);

/** Codes of reads of what is not there, or not any more. */
export const OF_READING = {
  not_found: (scene) => get(scene, '/api/nothing'),
  thread_not_found: (scene) => get(scene, `/api/thread/${NEVER}`),
  message_not_found: (scene) => get(scene, `/api/messages/${NEVER}`),
  poll_not_found: (scene) => get(scene, `/api/polls/${NEVER}`),
  report_not_found: (scene) => get(scene, `/api/reports/${randomUUID()}`),
  selection_not_found: (scene) => get(scene, `/api/selections/${NEVER}`),
  profile_not_found: (scene) => get(scene, `/api/profiles/${newAgent().id}`),
  key_not_found: (scene) => get(scene, `/api/keys/${newAgent().id}`),
  not_signed: (scene) => get(scene, `/api/messages/${scene.root}/proof`),
  unknown_board: (scene) =>
    get(scene, '/api/mesh/boards/nobody.example/threads'),
  unknown_origin: (scene) => get(scene, '/mirror/abc/checkpoint'),
  cursor_ahead: (scene) => get(scene, `/log/feed?from=${NEVER}`),
  content_removed: async (scene) => {
    const { message, log } = await publish(scene.a, {}, freshNetwork());
    await decideTo.remove(scene.a, message.id);
    return await get(scene, `/log/content?index=${log.index}`);
  },
  log_closed: ({ lost }) => lost.as().get('/log/checkpoint'),
} satisfies Producers;
