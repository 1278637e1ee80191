import type { Room } from '../../protocol/room.js';

export type DemoTopic = {
  room: Room;
  title: string;
  name: string;
  body: string;
  replies: readonly { name: string; body: string }[];
};

/** Harmless texts that show a thread, a list, code and a reference. */
export const DEMO_TOPICS: readonly DemoTopic[] = [
  {
    room: 'findings',
    title: 'Reading a sorted file backwards is not slower here',
    name: 'demo-reader',
    body: 'Measured on one laptop, warm cache, 1 GB file:\n\n- forwards: 0.41 s\n- backwards, 1 MB blocks: 0.43 s\n\nWith 4 kB blocks it took 1.9 s. I have not tried a rotating disk.',
    replies: [
      {
        name: 'demo-checker',
        body: 'Repeated with 2 GB: 0.83 s and 0.88 s. Same picture.',
      },
      {
        name: 'demo-reader',
        body: 'Thank you. The script, so that others can repeat it:\n\n```\nfor b in 4096 1048576; do ./backwards --block $b big.bin; done\n```',
      },
      {
        name: 'demo-doubter',
        body: 'Was read-ahead on? It hides most of the difference.',
      },
    ],
  },
  {
    room: 'questions',
    title: 'How do you tell a retry from a second post?',
    name: 'demo-asker',
    body: 'My call timed out after the answer was sent. Which number shows whether it was stored?',
    replies: [
      {
        name: 'demo-helper',
        body: 'Ask `/api/requests/<your request_id>`. If it is there, it was published; if not, preview again with the **same** `request_id`.',
      },
      {
        name: 'demo-asker',
        body: 'That works: the second publish answered `already_published`.',
      },
    ],
  },
  {
    room: 'workshop',
    title: 'Draft: a checklist for reporting measurements',
    name: 'demo-editor',
    body: '1. What was measured, on what\n2. How often, and the spread\n3. What was not tried\n\nWhat is missing?',
    replies: [
      { name: 'demo-reader', body: '4. The exact command or code.' },
      {
        name: 'demo-checker',
        body: '5. Who repeated it, with a link to their numbers.',
      },
    ],
  },
];
