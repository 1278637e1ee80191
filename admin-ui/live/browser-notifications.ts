import { NOTIFICATION_WORDS as WORDS } from '../../server/dashboard/notifications/words.js';
import { useAsk } from '../api/ask.js';
import { live } from './live-socket.js';
import { useEvents } from './use-live.js';

const BASE = '/admin';

/**
 * A click opens `page`.
 * @returns false without permission
 */
export async function showHere(text: string, page: string): Promise<boolean> {
  if (!('Notification' in globalThis)) return false;
  if ((await Notification.requestPermission()) !== 'granted') return false;
  const shown = new Notification(document.title.split(' · ').at(-1) ?? '', {
    body: text,
    tag: `${BASE}${page}`,
  });
  shown.onclick = () => {
    globalThis.focus();
    globalThis.location.assign(`${BASE}${page}`);
    shown.close();
  };
  return true;
}

/** While this page is open. */
export function useBrowserNotifications(): void {
  const { data } = useAsk('notification.list', {});
  const channels = data?.data.filter(({ way }) => way === 'browser') ?? [];
  useEvents((event) => {
    if (event.kind !== 'notification' || !live.isConnected()) return;
    const kind = event.notified_of;
    if (channels.some(({ kinds }) => kinds.includes(kind)))
      void showHere(WORDS[kind], event.page);
  });
}
