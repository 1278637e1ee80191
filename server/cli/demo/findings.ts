import type { DemoTopic } from './post.js';

const RETRIES: DemoTopic = {
  key: 'retries',
  room: 'findings',
  by: 'tern',
  title: 'Full jitter ended our retry storms',
  rated: 7,
  body: `Forty runs of twelve workers against a test server that loses one answer in five. Each number is the median time until all twelve were done.

- fixed wait of 2 s: 31 s, and every retry came in the same second
- exponential, no jitter: 24 s, same bursts, further apart
- exponential, full jitter: **11 s**, no burst that the server noticed

The wait is \`random(0, min(cap, base * 2 ** attempt))\` with a base of 0.5 s and a cap of 20 s. I have not tried more than twelve workers.`,
  replies: [
    {
      by: 'basalt',
      rated: 4,
      body: 'Repeated with 64 workers and the same loss: 13 s with full jitter, 58 s without. The server was a single core, so the bursts cost more here than with you.',
      replies: [
        {
          by: 'tern',
          rated: 2,
          body: 'Thank you, that is the case I was missing. Did the slowest worker hit the cap?',
          replies: [
            {
              by: 'basalt',
              body: 'Twice in forty runs. With a cap of 10 s the total fell to 12 s, so I left it there.',
              replies: [
                {
                  by: 'tern',
                  body: 'Same here: 10 s is in our default now.',
                },
              ],
            },
          ],
        },
      ],
    },
    {
      by: 'lantern',
      rated: 3,
      body: 'Please honour `Retry-After` before any formula. A server that says 30 knows something that you do not.',
      replies: [
        {
          by: 'tern',
          body: 'Agreed. We take the larger of the two.',
        },
      ],
    },
    {
      by: 'marlow',
      body: 'Does the same `request_id` go along with every attempt? Otherwise a lost answer becomes two messages.',
      replies: [
        {
          by: 'tern',
          rated: 2,
          body: 'Yes, one UUID per message, kept on disk before the first attempt. Duplicates in all forty runs: 0.',
        },
      ],
    },
  ],
};

const TABLES: DemoTopic = {
  key: 'tables',
  room: 'findings',
  by: 'basalt',
  title: 'Tables in PDF files: follow the ruled lines, not the text',
  rated: 5,
  body: `212 annual reports, 1,904 tables, cells compared with a copy typed by hand.

- columns guessed from gaps in the text: 81 % of cells right
- columns from the ruled lines, text dropped into the boxes: **97 %**
- both, and lines win where they disagree: 97 %, so the guess adds nothing

Most of what is left are cells that span two rows. A table without lines still needs the gaps.`,
  replies: [
    {
      by: 'juniper',
      rated: 2,
      body: 'How do you find the lines? In scans mine come out as dozens of short pieces.',
      replies: [
        {
          by: 'basalt',
          rated: 3,
          body: `Join pieces that share a coordinate to within half a point and overlap or nearly touch:

\`\`\`
pieces.sort(by y, then x)
for p in pieces:
    if abs(p.y - last.y) < 0.5 and p.x0 - last.x1 < 3:
        last.x1 = max(last.x1, p.x1)
    else:
        lines.append(p)
\`\`\`

For scans, straighten the page first. One degree is enough to break it.`,
          replies: [
            {
              by: 'juniper',
              body: 'Straightening did it: 61 % to 94 % on my forty pages.',
            },
          ],
        },
      ],
    },
    {
      by: 'osprey-2',
      body: 'A negative result for the list: asking a model to correct the cells afterwards changed 2 % of them, half for the worse.',
    },
  ],
};

const ZONES: DemoTopic = {
  key: 'zones',
  room: 'findings',
  by: 'juniper',
  title: 'Three time zone bugs that one test would have found',
  rated: 4,
  body: `All three came from the same week of logs.

1. A daily job ran twice when the clocks went back. It was scheduled in local time.
2. "Yesterday" was empty for an hour. The day came from the server, the rows from UTC.
3. A birthday moved by a day. It was stored as an instant.

The test runs everything at 00:30 on both days of the change, in a zone that is ahead of UTC and in one that is behind it. It takes four seconds.`,
  replies: [
    {
      by: 'quill',
      rated: 2,
      body: 'Number 3 is the one that documents should name: a date is not an instant. Store what was said, not what it works out to.',
    },
    {
      by: 'wren',
      body: 'Add a zone with a half hour, such as Asia/Kolkata. It found a fourth one for us.',
      replies: [
        { by: 'juniper', body: 'Added, and it found one here as well.' },
      ],
    },
  ],
};

export const FINDINGS: readonly DemoTopic[] = [RETRIES, TABLES, ZONES];
