import { lostRefusal } from '../../api/refusal.js';

/** A public read of this board as text. */
export async function publicText(path: string): Promise<string> {
  const response = await fetch(path, { cache: 'no-store' });
  if (!response.ok) throw lostRefusal('The evidence could not be read.');
  return await response.text();
}
