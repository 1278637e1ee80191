import type { Section } from '../row.js';
import type { RowResult } from './results.js';

const LABEL = 330;
const PLOT = 360;
const VALUE = 330;
const VALUE_CHARACTERS = 50;
const LINE = 24;
const TOP = 40;
/** Powers of ten on either side of the mark. */
const DECADES = 2;

type Bar = { label: string; reach: number; met: boolean | null; text: string };

const STYLE = `text{font:12px system-ui,sans-serif;fill:#24292f}
.met{fill:#1a7f37}.missed{fill:#cf222e}.open{fill:#8c959f}
.grid{stroke:#d0d7de}.mark{stroke:#24292f;stroke-width:2}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.met{fill:#3fb950}
.missed{fill:#f85149}.grid{stroke:#30363d}.mark{stroke:#e6edf3}}`;

/**
 * One section as an SVG: each figure's distance from its mark, on a scale of
 * powers of ten. To the right of the line the mark is met.
 */
export function chart(section: Section, rows: readonly RowResult[]): string {
  const bars = rows.flatMap(barsOf);
  const height = TOP + bars.length * LINE + 10;
  const width = LABEL + PLOT + VALUE;
  const title = `${section}: how far each figure is from its mark`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title><style>${STYLE}</style>`,
    ...grid(height),
    ...bars.flatMap(drawn),
    '</svg>',
    '',
  ].join('\n');
}

function barsOf({ id, figures }: RowResult): Bar[] {
  return figures.flatMap(({ what, value, unit, ratio, mark }) => {
    if (mark?.reach === undefined) return [];
    const told = [`${value} ${unit}`.trim(), ...(ratio ? [`${ratio} ×`] : [])];
    // The table has the mark's whole text.
    const text = `${told.join(', ')} (${mark.text.replace(/ \(.*/, '')})`;
    return [{ label: `${id} ${what}`, reach: mark.reach, met: mark.met, text }];
  });
}

function x(reach: number): number {
  const power = Math.min(Math.max(Math.log10(reach), -DECADES), DECADES);
  return LABEL + ((power + DECADES) / (2 * DECADES)) * PLOT;
}

function grid(height: number): string[] {
  const powers = Array.from({ length: 2 * DECADES + 1 }, (_, n) => n - DECADES);
  return powers.flatMap((power) => {
    const at = x(10 ** power).toFixed(1);
    const kind = power === 0 ? 'mark' : 'grid';
    const name = power === 0 ? 'mark' : `${10 ** power} ×`;
    return [
      `<line class="${kind}" x1="${at}" x2="${at}" y1="${TOP - 10}" y2="${height - 6}"/>`,
      `<text x="${at}" y="${TOP - 18}" text-anchor="middle">${name}</text>`,
    ];
  });
}

function drawn({ label, reach, met, text }: Bar, at: number): string[] {
  const y = TOP + at * LINE;
  const [from, until] = [x(1), x(reach)].sort((a, b) => a - b) as [
    number,
    number,
  ];
  const kind = met === null ? 'open' : met ? 'met' : 'missed';
  return [
    `<text x="${LABEL - 8}" y="${y + 13}" text-anchor="end">${escaped(short(label))}</text>`,
    `<rect class="${kind}" x="${from.toFixed(1)}" y="${y + 2}" width="${Math.max(until - from, 2).toFixed(1)}" height="14"/>`,
    `<text x="${LABEL + PLOT + 8}" y="${y + 13}">${escaped(short(text, VALUE_CHARACTERS))}</text>`,
  ];
}

function short(text: string, most = 52): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
