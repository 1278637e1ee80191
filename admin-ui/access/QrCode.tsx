import { create } from 'qrcode';
import { useMemo } from 'react';

const QUIET = 4;

/** One path over all dark modules; nothing is fetched and no canvas needed. */
function pathOf(text: string): { path: string; size: number } {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const { size, data } = modules;
  let path = '';
  for (let n = 0; n < size * size; n += 1) {
    if (data[n] !== 1) continue;
    const [x, y] = [(n % size) + QUIET, Math.floor(n / size) + QUIET];
    path += `M${x} ${y}h1v1h-1z`;
  }
  return { path, size: size + 2 * QUIET };
}

/** Always dark on white: scanners want it so. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { path, size } = useMemo(() => pathOf(text), [text]);
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img">
      <title>{label}</title>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
