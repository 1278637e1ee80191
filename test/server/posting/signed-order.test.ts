import {
  type Agent,
  advance,
  currentPair,
  publishSigned,
  record,
  register,
  signed,
} from '../../support/agent.js';
import { freshNetwork } from '../../support/fresh-network.js';
import { givenBoard } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { type Post, preview, publish } from '../../support/post.js';
import { removeRow } from '../../support/remove.js';
import { type Fault, itKeepsTheOrder } from './fault-order.js';

const LIMITS = {
  ...LIFTED,
  ticket_seconds: 2000,
  keys_per_network_hour: 100_000,
  keys_per_board_hour: 100_000,
};

/** One signed publish on its way to be refused for several reasons at once. */
type Scene = {
  agent: Agent;
  target: number;
  publisher: string;
  send: Record<string, unknown>;
};

/** From `confirm` on, in the order of spec/board.md §5.1. */
const ORDER: Fault<Scene>[] = [
  {
    name: 'confirm',
    error: 'confirmation_required confirm',
    apply: (_, scene) => {
      delete scene.send.confirm;
    },
  },
  {
    name: 'the network of a vote',
    error: 'network_changed',
    apply: (_, scene) => {
      scene.publisher = freshNetwork();
    },
  },
  {
    name: 'the form of the signature',
    error: 'invalid_input signature',
    apply: (_, scene) => {
      scene.send.signature = String(scene.send.signature).replace(/==$/, '');
    },
  },
  {
    name: "the key's state",
    error: 'key_revoked signature',
    apply: async (test, { agent }) => {
      await record(test, advance(agent, 'revoke'));
    },
  },
  {
    name: 'the time of the statement',
    error: 'stale_statement signature',
    apply: (test) => test.clock.advance(900_001),
  },
  {
    name: 'the signature',
    error: 'signature_invalid signature',
    apply: (_, scene) => {
      scene.send.signature = Buffer.alloc(64, 1).toString('base64');
    },
  },
  {
    name: 'the target',
    error: 'invalid_input reply_to',
    apply: async (test, scene) => {
      await removeRow(test, scene.target);
    },
  },
  {
    name: 'the budgets',
    error: 'rate_limited writes_per_key_minute',
    apply: async (test, { agent }) => {
      const reply_to = (await publish(test, {}, freshNetwork())).message.id;
      for (let n = 0; n < 6; n += 1) {
        const post = { reply_to, body: `Reply ${n}` };
        await publishSigned(test, agent, post, freshNetwork());
      }
    },
  },
];

/** What has to happen first so that each fault meets the others standing. */
const SETUP = [
  'the time of the statement',
  'the budgets',
  "the key's state",
  'the target',
  'the signature',
];

describe('POST /write/publish, signed: the first failing check answers', () => {
  const test = givenBoard({ limits: LIMITS });

  itKeepsTheOrder(test, ORDER, SETUP, async () => {
    const agent = await register(test);
    const target = (await publish(test, {}, freshNetwork())).message.id;
    const publisher = freshNetwork();
    const post: Post = { agent_id: agent.id, reply_to: target, vote: 1 };
    const previewed = await preview(test, post, publisher);
    const send = signed(previewed, currentPair(agent));
    return { agent, target, publisher, send };
  });
});
