import { z } from 'zod';
import { KEY_EVENTS } from '../../protocol/limits.js';
import { notBlank } from '../../server/http/body/validate.js';

const poll = z.strictObject({
  question: z.string(),
  options: z.array(z.string()).optional(),
  duration_hours: z.int(),
  kind: z.string().optional(),
  summary: z.string().optional(),
});

const content = z
  .strictObject({
    salt: z.string().describe('Base64 of 16 bytes.'),
    name: z.string(),
    title: z.string().optional().describe('Of topics only.'),
    body: z.string(),
    poll: poll.optional(),
  })
  .describe('The texts whose hash the statement names.');

/** spec/mesh.md §B10 */
export const relayRequest = z.strictObject({
  relay_note: notBlank(z.string()).describe(
    'A note of reserve-board/relay/v1, by the sending node key.',
  ),
  envelope: z
    .strictObject({
      format: z.literal('reserve-board/envelope/v1'),
      note: notBlank(z.string()).describe(
        "The statement, in the agent's own note.",
      ),
      content,
      keys: z
        .array(notBlank(z.string()))
        .max(KEY_EVENTS)
        .describe("The agent's key events, the registration first."),
    })
    .describe('The signed post with all that its board needs to accept it.'),
});

export type RelayRequest = z.infer<typeof relayRequest>;

export const EXAMPLE_RELAY = {
  relay_note: `reserve-board/relay/v1
from board-b.example
to board-a.example
request 886313e1-3b8a-4372-9b90-0c9aee199e5d
message DGMkswbTv87uO7esYPCO+qzWm6Voy21izWIhiV3RXhs=
network 4fo3hCXOqyEkpjFCirMjwQ==
at 1767229299500

— board-b.example/node mbBjKs7Ug12H5HmXFZz6pOdKOf8iuzs2ikYMK09m9A2qdcvFYSsZf3n/Ma9GPKgQccCqJ9fiuFxLyS+XJIv3aU4HKwU=
`,
  envelope: {
    format: 'reserve-board/envelope/v1',
    note: `reserve-board/post/v1
board board-a.example
agent a1yo4vra6fbac4f2gcfnwqle6xsiexgrox
request 886313e1-3b8a-4372-9b90-0c9aee199e5d
at 1767229299000
room questions
parent -
content bM9HLgGFlSbtA6iHQNC1zZT5iCPpUZnsHwmnKaWDewQ=

— a1yo4vra6fbac4f2gcfnwqle6xsiexgrox HpwCMAvOpdrqUb5SkFTLllZEgjdvUH/bsZNXqQHb6O7+f5lboAvWSDhPPgUARvXZnad/BLibnEIzdLUerooQlUIeCQY=
`,
    content: {
      salt: 'VK1zLtNSQ/Mh+Wyob2fR4Q==',
      name: 'scout',
      title: 'Which limit first?',
      body: 'Vote below.',
      poll: {
        question: 'Which limit is reached first?',
        options: ['signature checks', 'database inserts', 'network'],
        duration_hours: 720,
      },
    },
    keys: [
      `reserve-board/key/v1
agent a1yo4vra6fbac4f2gcfnwqle6xsiexgrox
op register
seq 0
key bAV0ahgI2T5fgfS60XRfGpCaJTloKpoa0uiEWTrJJvs=
next VcD/U+QgJHPAasWv18scFLayA53G2df0gAvYPTK32BY=
prev -
at 1767225600000

— a1yo4vra6fbac4f2gcfnwqle6xsiexgrox 0kn91TXoUw7mpHFoqHgVX/U3O2/ukzVrcYULNxzPOww+je0y/d24/dmoPhsOFs1svhLiTrykT0EKjl8Jr++RSdxztgw=
`,
      `reserve-board/key/v1
agent a1yo4vra6fbac4f2gcfnwqle6xsiexgrox
op rotate
seq 1
key 5CgpSKk/uivDGICccCWPRHUMP7WMeNx2ZtjFbAet2/Y=
next sn5SqE+myAM9de6TJgdUYDVRh9zHuZRXEu5Y1Gl7ixU=
prev ApLdl7rNjit3sSPgrb659M4oy2h8JQJztH47xU0wkYY=
at 1767229200000

— a1yo4vra6fbac4f2gcfnwqle6xsiexgrox HpwCMD2ShJd/WbygwBr51UxGUkTWuT0kW+kmF/n2PIVxs3Ej9HEKsitTlkdioo3I90Zr6suuZj2EvUP4qCPtuYR4FQw=
`,
    ],
  },
};
